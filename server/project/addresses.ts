/** Which addresses are not the public internet: loopback, private, link-local and the like. */
import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";

const inside = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  inside.addSubnet(net, prefix, "ipv4");
}
for (const [net, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  inside.addSubnet(net, prefix, "ipv6");
}

/** Is this IP address outside of the public internet? IPv4 written as IPv6 counts as IPv4. */
export function isPrivateAddress(ip: string): boolean {
  return inside.check(ip, isIPv6(ip) ? "ipv6" : "ipv4");
}

/** Does the host of this URL resolve to any private address? A name that does not resolve has none. */
export async function resolvesToPrivate(url: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host)) return isPrivateAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivateAddress(address));
}
