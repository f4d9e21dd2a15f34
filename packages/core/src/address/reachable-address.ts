import { type IpAddress, type IpRange, isInRange, parseIp, parseIpRange } from './ip-address.ts'

/**
 * Addresses that neither user code nor deliveries may reach, by group. Sources:
 * packages/docs/behaviour/user-code.md#addresses; IANA special-purpose registries.
 */
const blockedGroups: Readonly<Record<string, readonly string[]>> = {
  unspecified: ['0.0.0.0/8', '::/96'],
  loopback: ['127.0.0.0/8', '::1'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  'carrier-grade NAT': ['100.64.0.0/10'],
  'link-local': ['169.254.0.0/16', 'fe80::/10', 'fec0::/10'],
  'unique local': ['fc00::/7'],
  broadcast: ['255.255.255.255'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  benchmarking: ['198.18.0.0/15', '2001:2::/48'],
  'protocol assignments': ['192.0.0.0/24', '192.88.99.0/24', '2001::/23', '100::/64', '5f00::/16', '64:ff9b:1::/48'],
  reserved: ['240.0.0.0/4'],
  // The number is public, but only Azure virtual machines can reach it: their agent reads settings and secrets there.
  // The metadata services of other clouds are in the ranges above: AWS, Google, Azure, Tencent (169.254.0.0/16,
  // fd00::/8), Alibaba (100.100.100.200), Oracle (192.0.0.192).
  'cloud platform': ['168.63.129.16'],
}
const blocked = Object.values(blockedGroups).flat().map(parseIpRange)
/** All public IPv6 addresses. */
const globalUnicast = parseIpRange('2000::/3')

/** IPv6 ranges that embed an IPv4 address, with the position of its last bit counted from the right. */
const embedding: readonly { readonly range: IpRange; readonly shift: bigint }[] = [
  { range: parseIpRange('::ffff:0:0/96'), shift: 0n }, // IPv4-mapped
  { range: parseIpRange('::ffff:0:0:0/96'), shift: 0n }, // IPv4-translated
  { range: parseIpRange('64:ff9b::/96'), shift: 0n }, // NAT64
  { range: parseIpRange('2002::/16'), shift: 80n }, // 6to4
]

/**
 * Returns whether user code or a delivery may connect to an address: it is public or in an explicitly allowed range.
 * For IPv6 addresses that embed an IPv4 address, the IPv4 address decides. False for an invalid address.
 * @example
 * ```ts
 * import { isReachableAddress, parseIpRange } from '@sluice/core'
 *
 * console.log(isReachableAddress('127.0.0.1', []), isReachableAddress('127.0.0.1', [parseIpRange('127.0.0.0/8')])) // false true
 * ```
 */
export function isReachableAddress(text: string, allowed: readonly IpRange[]): boolean {
  const given = parseIp(text)
  if (given === undefined) return false
  const address = unwrapped(given)
  if (allowed.some((range) => isInRange(address, range) || isInRange(given, range))) return true
  if (address.bits === 128 && !isInRange(address, globalUnicast)) return false
  return !blocked.some((range) => isInRange(address, range))
}

function unwrapped(address: IpAddress): IpAddress {
  const found = embedding.find(({ range }) => isInRange(address, range))
  return found === undefined ? address : { bits: 32, value: (address.value >> found.shift) & 0xffff_ffffn }
}
