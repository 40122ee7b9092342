import { describe, expect, it } from "vitest";
import { isPrivateAddress, resolvesToPrivate } from "./addresses";

describe("addresses outside of the public internet", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "::",
    "::1",
    // An IPv4 address in an IPv6 one: mapped, compatible, translated, NAT64, 6to4, Teredo.
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "::127.0.0.1",
    "::a9fe:a9fe",
    "::ffff:0:127.0.0.1",
    "::ffff:0:a00:1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001:0:7f00:1::1",
    "fec0::1",
    "fe80::1",
    "fe80::1%eth0",
    "fd00::1",
    "ff02::1",
  ])("AC4 %s is private", (ip) => expect(isPrivateAddress(ip)).toBe(true));

  it.each(["8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "::ffff:8.8.8.8", "2001:4860:4860::8888"])(
    "%s is public",
    (ip) => expect(isPrivateAddress(ip)).toBe(false),
  );

  it.each([
    "http://[::127.0.0.1]/v1",
    "http://[::ffff:0:127.0.0.1]/v1",
    "http://[0:0:0:0:0:0:7f00:1]:80/",
    "http://2130706433/",
  ])("%s, as a base URL spells it", async (url) => expect(await resolvesToPrivate(url)).toBe(true));
});
