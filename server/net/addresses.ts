/** Which addresses are not the public internet: loopback, private, link-local and the like. */
import { type LookupAddress, lookup as lookupName } from "node:dns";
import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";

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
  // They carry an IPv4 address of any kind: IPv4-compatible (and :: and ::1), translated, NAT64, Teredo, 6to4.
  ["::", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  // Discard, documentation, segment routing.
  ["100::", 64],
  ["2001:db8::", 32],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  inside.addSubnet(net, prefix, "ipv6");
}

/** Is this IP address outside of the public internet? IPv4 written as IPv6 counts as IPv4. */
export function isPrivateAddress(ip: string): boolean {
  // A zone names the interface of a link-local address.
  const [plain = ""] = ip.split("%");
  return inside.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

/** Does the host of this URL resolve to any private address? A name that does not resolve has none. */
export async function resolvesToPrivate(url: string): Promise<boolean> {
  const host = hostOf(new URL(url));
  if (isIP(host)) return isPrivateAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivateAddress(address));
}

/** The host as DNS and sockets know it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Thrown by the lookup below. */
export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`${host} leads to an address that is not public`);
  }
}

type Names = (host: string) => Promise<LookupAddress[]>;
const systemNames: Names = (host) =>
  new Promise((resolve, reject) => {
    lookupName(host, { all: true, verbatim: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });

/**
 * For the `lookup` option of a socket (`http.request`, `net.connect`): the addresses that were checked are the ones
 * that are connected to, so a name that changes its mind between check and use gains nothing. Fails with
 * PrivateAddressError when any address of the name is private. A host that is an address itself is never looked up:
 * check it with `isPrivateAddress` first.
 */
export function publicLookup(names: Names = systemNames, isPrivate = isPrivateAddress): LookupFunction {
  return (host, options, done) => {
    names(host).then(
      (found) => {
        const wanted = options.family === 4 || options.family === 6 ? options.family : 0;
        const usable = found.filter(({ family }) => wanted === 0 || family === wanted);
        const [first] = usable;
        if (found.some(({ address }) => isPrivate(address))) done(new PrivateAddressError(host), "", 0);
        else if (!first) done(Object.assign(new Error(`${host} has no address`), { code: "ENOTFOUND" }), "", 0);
        else if (options.all) done(null, usable);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, "", 0),
    );
  };
}
