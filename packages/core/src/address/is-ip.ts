/** Returns 4 or 6 for an IP address, 0 for any other text: what `isIP` of node:net returns, on every platform. */
export function isIp(text: string): 0 | 4 | 6 {
  if (isIpv4(text)) return 4
  return isIpv6(text) ? 6 : 0
}

export function isIpv4(text: string): boolean {
  // Shorter than the pattern, so that most texts cost nothing.
  return text.length >= 7 && text.length <= 15 && ipv4.test(text)
}

export function isIpv6(text: string): boolean {
  const percent = text.indexOf('%')
  if (percent !== -1 && !zone.test(text.slice(percent + 1))) return false
  const address = percent === -1 ? text : text.slice(0, percent)
  if (address.length < 2 || address.length > 45) return false
  const lastColon = address.lastIndexOf(':')
  const isMixed = address.includes('.')
  if (isMixed && !isIpv4(address.slice(lastColon + 1))) return false
  // The part with dots stands for two groups.
  const plain = isMixed ? `${address.slice(0, lastColon)}:0:0` : address
  const gap = plain.indexOf('::')
  if (gap === -1) return groupCount(plain) === 8
  const before = gap === 0 ? 0 : groupCount(plain.slice(0, gap))
  const after = gap + 2 === plain.length ? 0 : groupCount(plain.slice(gap + 2))
  return before + after < 8
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
const zone = /^[0-9A-Za-z.:-]+$/
const group = /^[0-9A-Fa-f]{1,4}$/

/** Returns the number of groups, or more than an address has when one of them is none. */
function groupCount(text: string): number {
  const groups = text.split(':')
  return groups.every((each) => group.test(each)) ? groups.length : 9
}
