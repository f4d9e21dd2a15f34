import { isIpv4, isIpv6 } from '@sluice/core'
import { isWorthReading } from './is-worth-looking.ts'
import { type PlainReading, readPlainly } from './plain-reading.ts'

/** Kinds of personal data, by precedence: where two could begin at the same place, the more certain one comes first. */
export const piiKinds = ['email', 'ipv6', 'ipv4', 'card', 'phone'] as const
export type PiiKind = (typeof piiKinds)[number]

/** A part of a text, from `start` (inclusive) to `end` (exclusive). */
export interface PiiSpan {
  readonly kind: PiiKind
  readonly start: number
  readonly end: number
}

/** Longest local part of an email address. RFC 5321. */
const localMax = 64
/** Longest domain. RFC 1035. */
const domainMax = 253

// Roles a character can have, as bits.
const word = 1 // letters, digits and _: no match starts or ends next to one
const digit = 2
const hex = 4 // of an IPv6 address, including its colons and dots
const local = 8 // of the part before @
const label = 16 // of a domain

const opener = 32 // a number can begin with it
const hexOpener = 64 // an IPv6 address can begin with it

const classes = new Uint8Array(128)
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code)
  classes[code] =
    (/\w/.test(character) ? word : 0) |
    (/\d/.test(character) ? digit : 0) |
    (/[0-9a-f:.]/i.test(character) ? hex : 0) |
    (/[\w.!#$%&'*+/=?^`{|}~-]/.test(character) ? local : 0) |
    (/[0-9a-z.-]/i.test(character) ? label : 0) |
    (/[0-9+(]/.test(character) ? opener : 0) |
    (/[0-9a-f:]/i.test(character) ? hexOpener : 0)
}
// Letters of other alphabets are allowed in addresses. Outside the text the code is NaN, which has no class.
const classOf = (code: number): number => (code < 128 ? (classes[code] ?? 0) : code >= 0xc0 ? local | label : 0)
const is = (text: string, index: number, bits: number): boolean => (classOf(text.charCodeAt(index)) & bits) !== 0
const underscore = 95

/** Returns whether the character at an index is a letter or a number of any alphabet. Most are ASCII, which takes no pattern. */
function isLetterOrNumber(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code < 128 ? is(text, index, word) && code !== underscore : /[\p{L}\p{N}]/u.test(text.charAt(index))
}

/** Returns the spans of a text, ordered and without overlap. */
export interface PiiFinder {
  (text: string): readonly PiiSpan[]
  /** Kinds this finder detects. */
  readonly kinds: ReadonlySet<PiiKind>
}

/**
 * Creates a finder of email addresses, phone numbers, card numbers and IP addresses.
 *
 * Finds them also where they are written otherwise, see `readPlainly`; a span then covers the text as it is written.
 *
 * Looks ahead or back by a bounded number of characters at each position, so the time is linear in the length of any
 * text; regular expressions for the same task are quadratic. Sources of the rules: RFC 5321 and 1035 (lengths), E.164
 * (a phone number has at most 15 digits), ISO/IEC 7812 (card numbers: length, first digits, Luhn check digit).
 */
export function createPiiFinder(kinds: ReadonlySet<PiiKind>): PiiFinder {
  const emailsWanted = kinds.has('email')
  const wanted = numberEnds.filter(({ kind }) => kinds.has(kind))
  const findIn = (text: string, reading?: PlainReading): readonly PiiSpan[] => {
    const emails = emailsWanted ? findEmails(text, reading) : []
    return wanted.length === 0 ? emails : withNumbers(text, emails, wanted)
  }
  const find = (text: string): readonly PiiSpan[] => {
    const written = findIn(text)
    const reading = kinds.size > 0 && isWorthReading(text) ? readPlainly(text) : undefined
    if (reading === undefined) return written
    const read = findIn(reading.text, reading).map(({ kind, start, end }) => ({
      kind,
      start: reading.startOf(start),
      end: reading.endOf(end - 1),
    }))
    return united(written, read)
  }
  return Object.assign(find, { kinds })
}

/** Joins two ordered lists of spans. Those that overlap become one, of the kind of the first. */
function united(some: readonly PiiSpan[], others: readonly PiiSpan[]): readonly PiiSpan[] {
  if (others.length === 0) return some
  const spans: PiiSpan[] = []
  for (const span of [...some, ...others].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = spans.at(-1)
    if (last === undefined || span.start >= last.end) spans.push(span)
    else if (span.end > last.end) spans[spans.length - 1] = { ...last, end: span.end }
  }
  return spans
}

function withNumbers(text: string, emails: readonly PiiSpan[], wanted: readonly NumberEnd[]): readonly PiiSpan[] {
  const spans: PiiSpan[] = []
  // Many words begin with a hex letter, but an IPv6 address needs two colons.
  const colon = text.indexOf(':')
  const openers = colon >= 0 && text.includes(':', colon + 1) ? opener | hexOpener : opener
  let next = 0
  let index = 0
  let before = 0
  while (index < text.length) {
    const email = emails[next]
    const bits = classOf(text.charCodeAt(index))
    let found: PiiSpan | undefined
    if (email !== undefined && index >= email.start) {
      found = email
      next += 1
    } else if ((bits & openers) !== 0 && (before & word) === 0)
      found = numberAt(text, index, email?.start ?? text.length, wanted)
    before = found === undefined ? bits : word
    index = found?.end ?? index + 1
    if (found !== undefined) spans.push(found)
  }
  return spans
}

function numberAt(text: string, start: number, limit: number, wanted: readonly NumberEnd[]): PiiSpan | undefined {
  for (const { kind, endOf } of wanted) {
    const end = endOf(text, start, limit)
    if (end > 0) return { kind, start, end }
  }
  return undefined
}

/** Characters that separate the parts of a URL, and that an address of the mail itself may have. */
const urlParts = '/?=&#'

function findEmails(text: string, reading: PlainReading | undefined): readonly PiiSpan[] {
  const spans: PiiSpan[] = []
  let free = 0
  for (let sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', sign + 1)) {
    const start = localStart(text, sign, free, reading?.isEncoded(sign) ? urlParts : '')
    const end = start === sign || sign - start > localMax + 2 ? 0 : hostEnd(text, sign + 1)
    if (end === 0) continue
    spans.push({ kind: 'email', start, end })
    free = end
  }
  return spans
}

/**
 * Returns where the part before the @ begins, after `free`; the place of the @ when there is none. In a URL it begins where a
 * part of the URL does.
 */
function localStart(text: string, sign: number, free: number, stops: string): number {
  if (text.charCodeAt(sign - 1) === quote) {
    // Sliced, because `lastIndexOf` on the whole text would search back to its beginning each time.
    const from = Math.max(free, sign - localMax - 2)
    const opening = text.slice(from, sign - 1).lastIndexOf('"')
    return opening < 0 || from + opening === sign - 2 ? sign : from + opening
  }
  let start = sign
  while (
    start > free &&
    sign - start <= localMax &&
    is(text, start - 1, local) &&
    (stops === '' || !stops.includes(text.charAt(start - 1)))
  )
    start -= 1
  if (sign - start > localMax) return sign
  // Leading punctuation belongs to the sentence.
  while (start < sign && !isLetterOrNumber(text, start) && !'_+'.includes(text.charAt(start))) start += 1
  return start
}

const quote = 34

/** Returns the end of the host of an address: a domain, or an IP address in brackets; 0 when there is none. */
function hostEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== 91) return domainEnd(text, start)
  const length = text.slice(start, start + ipv6Max + 8).indexOf(']')
  if (length < 0) return 0
  const address = text.slice(start + 1, start + length).replace(/^IPv6:/i, '')
  return isIpv4(address) || isIpv6(address) ? start + length + 1 : 0
}

/**
 * Returns the end of the domain that begins at `start`, 0 when there is none. A domain is labels separated by dots; the
 * last label is not a number.
 */
function domainEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && end - start <= domainMax && is(text, end, label)) end += 1
  if (end - start > domainMax) return 0
  while (end > start && !isLetterOrNumber(text, end - 1)) end -= 1
  // Sliced, because `lastIndexOf` on the whole text would search back to its beginning each time.
  const domain = text.slice(start, end)
  const dot = domain.lastIndexOf('.')
  const last = domain.length - dot - 1
  return dot <= 0 || last < 2 || is(domain, dot + 1, digit) || domain.includes('..') ? 0 : end
}

/** A kind of number and a function that returns where one beginning at `start` ends, or 0. */
interface NumberEnd {
  readonly kind: PiiKind
  readonly endOf: (text: string, start: number, limit: number) => number
}

const numberEnds: readonly NumberEnd[] = [
  { kind: 'ipv6', endOf: ipv6End },
  { kind: 'ipv4', endOf: ipv4End },
  { kind: 'card', endOf: cardEnd },
  { kind: 'phone', endOf: phoneEnd },
]

/** Longest text form, the one that ends in an IPv4 address. */
const ipv6Max = 45

function ipv6End(text: string, start: number, limit: number): number {
  // Inside a longer run of hex characters, which was already examined from its beginning.
  if (is(text, start - 1, hex) || !hasColonSoon(text, start)) return 0
  let end = start
  let colons = 0
  let digits = 0
  while (end < limit && end - start <= ipv6Max && is(text, end, hex)) {
    if (text.charCodeAt(end) === 58) colons += 1
    if (is(text, end, digit)) digits += 1
    end += 1
  }
  if (colons < 2 || end - start > ipv6Max || is(text, end, word)) return 0
  while (text.charCodeAt(end - 1) === 46 || (text.charCodeAt(end - 1) === 58 && text.charCodeAt(end - 2) !== 58))
    end -= 1
  // Without a digit it is more likely words separated by colons.
  return digits > 0 && isIpv6(text.slice(start, end)) ? end : 0
}

/** A group has at most four digits. */
function hasColonSoon(text: string, start: number): boolean {
  for (let index = start; index <= start + 4; index += 1) {
    if (text.charCodeAt(index) === 58) return true
    if (!is(text, index, hex)) return false
  }
  return false
}

function ipv4End(text: string, start: number, limit: number): number {
  // After a dot it is the middle of something longer; after a single slash it is the version of a program.
  if (text.charCodeAt(start - 1) === 46 || (text.charCodeAt(start - 1) === 47 && text.charCodeAt(start - 2) !== 47))
    return 0
  let end = start
  for (let octet = 0; octet < 4; octet += 1) {
    if (octet > 0) {
      if (text.charCodeAt(end) !== 46) return 0
      end += 1
    }
    const first = end
    let value = 0
    while (end < limit && end - first < 4 && is(text, end, digit)) {
      value = value * 10 + text.charCodeAt(end) - 48
      end += 1
    }
    if (end === first || value > 255 || (end - first > 1 && text.charCodeAt(first) === 48)) return 0
  }
  const longer = is(text, end, word) || (text.charCodeAt(end) === 46 && is(text, end + 1, digit))
  return longer ? 0 : end
}

const cardForms: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
]

function cardEnd(text: string, start: number, limit: number): number {
  const plain = digitsFrom(text, start, limit, 20)
  // After a decimal point it is a fraction.
  const possible = plain === 4 || (plain >= 13 && plain <= 19)
  if (!possible || (text.charCodeAt(start - 1) === 46 && is(text, start - 2, digit))) return 0
  const end = start + plain
  if (plain > 4) return !is(text, end, word) && isCard(text.slice(start, end)) ? end : 0
  for (const form of cardForms) {
    const end = formEnd(text, start, limit, form)
    if (end > 0 && isCard(text.slice(start, end).replace(/\D/g, ''))) return end
  }
  return 0
}

/** Returns the number of consecutive digits at `start`, at most `max`. */
function digitsFrom(text: string, start: number, limit: number, max: number): number {
  let end = start
  while (end < limit && end - start < max && is(text, end, digit)) end += 1
  return end - start
}

/**
 * Returns the end of groups of exactly these lengths, separated by up to three spaces, hyphens, dots or the like; 0 when they do not
 * match.
 */
function formEnd(text: string, start: number, limit: number, form: readonly number[]): number {
  let end = start
  for (const [i, length] of form.entries()) {
    if (i > 0) {
      const first = end
      while (end < first + 3 && isBetweenCardGroups(text.charCodeAt(end))) end += 1
      if (end === first) return 0
    }
    if (digitsFrom(text, end, limit, length + 1) !== length) return 0
    end += length
  }
  return is(text, end, word) ? 0 : end
}

const betweenCardGroups = new Set([...' -._/,|*~'].map((character) => character.charCodeAt(0)))
const isBetweenCardGroups = (code: number): boolean => betweenCardGroups.has(code)

function isCard(digits: string): boolean {
  const issuer = /^(?:[3-6]|2[2-7])/.test(digits) && (digits.length !== 13 || digits.startsWith('4'))
  if (!issuer) return false
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const value = digits.charCodeAt(digits.length - 1 - i) - 48
    sum += i % 2 === 0 ? value : value > 4 ? value * 2 - 9 : value * 2
  }
  return sum % 10 === 0
}

const phoneDigitsMax = 15

/**
 * Groups of digits from `start`, with up to three characters between them. Leaves out the group that would exceed the
 * maximum number of digits and, unless `loose`, a group that touches a word.
 */
interface Groups {
  readonly lengths: readonly number[]
  /** End of each group. */
  readonly ends: readonly number[]
  /** Digits of all groups. */
  readonly count: number
}

function phoneGroups(text: string, start: number, limit: number, loose: boolean): Groups {
  const lengths: number[] = []
  const ends: number[] = []
  let count = 0
  let index = start
  for (;;) {
    const first = index
    index += digitsFrom(text, first, limit, phoneDigitsMax + 1)
    const whole = index > first && count + index - first <= phoneDigitsMax && !is(text, index, loose ? digit : word)
    if (!whole) return { lengths, ends, count }
    lengths.push(index - first)
    ends.push(index)
    count += index - first
    let between = 0
    while (between < 3 && index + between < limit && isBetweenPhoneGroups(text.charCodeAt(index + between)))
      between += 1
    if (between === 0) return { lengths, ends, count }
    index += between
  }
}

const isBetweenPhoneGroups = (code: number): boolean =>
  code === 32 || code === 45 || code === 46 || code === 40 || code === 41 || code === 47

/**
 * Returns the end of a phone number: international (`+` or `00` and 7 to 15 digits), North American (3-3-4), or
 * national (9 to 13 digits in all, a first group that begins with 0 and two to four more). A bare row of digits does
 * not count, because most are identifiers.
 */
function phoneEnd(text: string, start: number, limit: number): number {
  const code = text.charCodeAt(start)
  const before = text.charCodeAt(start - 1)
  // In the middle of a date, a version or another number.
  if ((before === 45 || before === 46 || before === 47) && is(text, start - 2, word)) return 0
  if (code !== 43 && code !== 40 && !is(text, start, digit)) return 0
  const opening = code === 43 || code === 40 ? 1 : 0
  const first = code === 43 && text.charCodeAt(start + 1) === 40 ? start + 2 : start + opening
  if (code !== 43 && !canBeginPhone(text, first, limit)) return 0
  const { lengths, ends, count } = phoneGroups(text, first, limit, code === 43)
  const end = ends.at(-1) ?? 0
  if (code === 43) return count >= 7 ? end : 0
  const digits = text.slice(first, end).replace(/\D/g, '')
  const prefix = lengths[0] ?? 0
  if (/^00[1-9]/.test(digits) && prefix >= 3 && digits.length >= 9) return end
  const skip = prefix === 1 && digits.startsWith('1') ? 1 : 0
  const northAmerican = lengths[skip] === 3 && lengths[skip + 1] === 3 && lengths[skip + 2] === 4
  // The three digits after the area begin with 2 to 9, but examples and invented numbers do not care.
  const area = ends[skip] ?? 0
  const isMarked = [41, 45, 46].includes(text.charCodeAt(area))
  if (northAmerican && (isMarked ? /^1?[2-9]/ : /^1?[2-9]\d\d[2-9]/).test(digits)) return ends[skip + 2] ?? 0
  const national = digits.startsWith('0') && prefix >= 3 && prefix <= 5 && lengths.length > 1
  return national && digits.length >= 9 && digits.length <= 13 ? end : 0
}

/** Examines only the first group or two, so that most numbers are rejected cheaply. */
function canBeginPhone(text: string, first: number, limit: number): boolean {
  const length = digitsFrom(text, first, limit, 6)
  const digit = text.charCodeAt(first)
  if (digit === 48) return length >= 3 && length <= 5
  if (digit !== 49 || length !== 1) return length === 3
  let next = first + 1
  while (next < first + 4 && isBetweenPhoneGroups(text.charCodeAt(next))) next += 1
  return digitsFrom(text, next, limit, 4) === 3
}
