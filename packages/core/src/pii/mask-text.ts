import type { PiiFinder, PiiKind } from './pii-finder.ts'

/** Replacement text by kind of personal data. */
export type PiiReplacements = Readonly<Record<PiiKind, string>>

export const defaultPiiReplacements: PiiReplacements = {
  email: '[email]',
  phone: '[phone]',
  card: '[card]',
  ipv4: '[ip]',
  ipv6: '[ip]',
}

/** Returns the text with personal data replaced; undefined when there is none. */
export function maskText(
  text: string,
  find: PiiFinder,
  replacements: PiiReplacements = defaultPiiReplacements,
): string | undefined {
  if (!isWorthLooking(text)) return undefined
  const whole = wholeKind(text)
  if (whole !== undefined && find.kinds.has(whole)) return replacements[whole]
  let masked = ''
  let done = 0
  for (const { kind, start, end } of find(text)) {
    masked += text.slice(done, start) + replacements[kind]
    done = end
  }
  return done === 0 ? undefined : masked + text.slice(done)
}

/** Returns the kind of a text that is a single IPv4 or email address. A cheap check that covers most personal data. */
function wholeKind(text: string): PiiKind | undefined {
  if (wholeIpv4.test(text)) return 'ipv4'
  return text.length < 200 && wholeEmail.test(text) ? 'email' : undefined
}

const wholeIpv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
const wholeEmail = /^[\w+][\w.+-]{0,63}@[A-Za-z\d-]+(?:\.[A-Za-z\d-]+)*\.[A-Za-z][A-Za-z\d-]*[A-Za-z\d]$/

const at = 1
const digit = 2
const dot = 4
const colon = 8
/** Characters allowed between the digits of a phone or card number. */
const between = 16
const hexDigit = 32
/** Begins an @ as it is written in URLs. */
const percent = 64

const classes = new Uint8Array(128)
for (const [characters, bits] of [
  ['@', at],
  ['0123456789', digit | hexDigit],
  ['.', dot],
  [':', colon],
  [' -()/+', between],
  ['abcdefABCDEF', hexDigit],
  ['%', percent],
] as const)
  for (const character of characters) classes[character.charCodeAt(0)] = bits

const classAt = (text: string, index: number): number => classes[text.charCodeAt(index)] ?? 0

/**
 * Returns whether a text may contain personal data: an @ or %40, seven digits in a row with only separators between them (a
 * phone number), three dots among digits, or two colons (an IP address). Identifiers and times in their usual forms
 * have none of these, and they are most of the texts with many digits.
 */
function isWorthLooking(text: string): boolean {
  if (isUuid(text) || time.test(text)) return false
  let digits = 0
  let dots = 0
  let colons = 0
  for (let i = 0; i < text.length; i += 1) {
    const bits = classAt(text, i)
    if ((bits & digit) !== 0) {
      digits += 1
      if (digits >= 7 || (dots >= 3 && digits >= 4)) return true
    } else if (bits === dot) dots += 1
    else if (bits === at || (bits === percent && text.startsWith('40', i + 1))) return true
    else if (bits !== between) {
      digits = 0
      dots = 0
      if (bits === colon) colons += 1
    }
  }
  return colons >= 2
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/

function isUuid(text: string): boolean {
  if (text.length !== 36 || text.charCodeAt(8) !== 45 || text.charCodeAt(13) !== 45) return false
  for (let i = 0; i < 36; i += 1) {
    const isHyphen = i === 8 || i === 13 || i === 18 || i === 23
    if (isHyphen ? text.charCodeAt(i) !== 45 : (classAt(text, i) & hexDigit) === 0) return false
  }
  return true
}
