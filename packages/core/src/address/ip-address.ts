import { isIpv4, isIpv6 } from './is-ip.ts'

/** An IP address as a number of 32 or 128 bits. */
export interface IpAddress {
  readonly bits: 32 | 128
  readonly value: bigint
}

/** The addresses that share the first `length` bits of `address`. */
export interface IpRange {
  readonly address: IpAddress
  readonly length: number
}

/**
 * Parses an address; undefined when it is invalid or has a zone identifier.
 * @example
 * ```ts
 * import { parseIp } from '@sluice/core'
 *
 * console.log(parseIp('192.0.2.7')?.bits, parseIp('192.0.2.700')) // 32 undefined
 * ```
 */
export function parseIp(text: string): IpAddress | undefined {
  if (isIpv4(text)) return { bits: 32, value: ipv4Value(text) }
  if (!isIpv6(text) || text.includes('%')) return undefined
  const lastColon = text.lastIndexOf(':')
  const embedded = text.includes('.') ? ipv4Value(text.slice(lastColon + 1)) : undefined
  const head =
    embedded === undefined
      ? text
      : `${text.slice(0, lastColon + 1)}${(embedded >> 16n).toString(16)}:${(embedded & 0xffffn).toString(16)}`
  const [left = '', right] = head.split('::')
  const groupsOf = (part: string): readonly string[] => (part === '' ? [] : part.split(':'))
  const before = groupsOf(left)
  const after = right === undefined ? [] : groupsOf(right)
  const zeroes = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...zeroes, ...after]
  return { bits: 128, value: groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n) }
}

/** Parses a range such as `10.0.0.0/8`; a plain address is a range of one. @throws RangeError when it is invalid. */
export function parseIpRange(text: string): IpRange {
  const [base = '', length, ...more] = text.split('/')
  const address = parseIp(base)
  const bits = address?.bits ?? 0
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  if (address === undefined || more.length > 0 || !(prefix >= 0 && prefix <= bits))
    throw new RangeError(`${text} is not an IP range`)
  return { address, length: prefix }
}

/** Ranges that the name `localhost` means. */
const localhost = ['127.0.0.0/8', '::1']

/** Parses ranges, each as `parseIpRange` does, or `localhost`. @throws RangeError when one is invalid. */
export function parseIpRanges(texts: readonly string[]): readonly IpRange[] {
  return texts.flatMap((text) => (text === 'localhost' ? localhost : [text])).map(parseIpRange)
}

/**
 * @example
 * ```ts
 * import { isInRange, parseIp, parseIpRange } from '@sluice/core'
 *
 * const office = parseIpRange('192.0.2.0/24')
 * const address = parseIp('192.0.2.7')
 * console.log(address && isInRange(address, office)) // true
 * ```
 */
export function isInRange({ bits, value }: IpAddress, { address, length }: IpRange): boolean {
  const rest = BigInt(bits - length)
  return bits === address.bits && value >> rest === address.value >> rest
}

function ipv4Value(text: string): bigint {
  return text.split('.').reduce((value, octet) => (value << 8n) | BigInt(octet), 0n)
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, as dual-stack sockets report IPv4 peers; others unchanged. */
export const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Returns the /64 network of an IPv6 address, since one customer usually owns all of it; an IPv4 address unchanged.
 * @example
 * ```ts
 * import { networkOf } from '@sluice/core'
 *
 * console.log(networkOf('2001:db8:1:2:3::4'), networkOf('192.0.2.7')) // 20010db800010002::/64 192.0.2.7
 * ```
 */
export function networkOf(address: string): string {
  const unmapped = withoutMapping(address)
  const parsed = parseIp(unmapped)
  return parsed?.bits === 128 ? `${(parsed.value >> 64n).toString(16)}::/64` : unmapped
}
