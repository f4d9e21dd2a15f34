import { plainForm } from './plain-form.ts'

/** A text as a person or a browser reads it, and where each character of it is written. */
export interface PlainReading {
  readonly text: string
  /** Returns whether the character at an index of `text` was encoded, such as %40. */
  isEncoded(index: number): boolean
  /** Where the character at an index of `text` begins in the original. */
  startOf(index: number): number
  /** Where it ends there, ignorable characters after it left out. */
  endOf(index: number): number
}

const mayDiffer = /[%&\\]|=(?:[\dA-F]{2}|\r?\n)|[^\0-\x7f]/

/** Returns whether a text may read otherwise than it is written; most do not. */
export function mayReadOtherwise(text: string): boolean {
  return mayDiffer.test(text)
}

/** How many times a text is read: JSON in JSON in JSON, or character references in a URL in a mail. */
const readingsMax = 5

/**
 * Reads a text plainly: percent encoding, quoted-printable, character references of HTML and escapes of JSON become
 * characters, also where one is in another; full-width and other forms of letters, digits, dots, dashes and spaces become
 * ASCII; soft hyphens and zero-width characters are left out. Takes linear time.
 *
 * @returns undefined when the text reads as it is written.
 */
export function readPlainly(text: string): PlainReading | undefined {
  let reading = readOnce(text)
  for (let count = 1; count < readingsMax && reading; count += 1) {
    const next = mayReadOtherwise(reading.text) ? readOnce(reading.text) : undefined
    if (next === undefined) break
    reading = joined(reading, next)
  }
  return reading
}

/** Returns the reading of a reading. */
function joined(first: PlainReading, second: PlainReading): PlainReading {
  return {
    text: second.text,
    isEncoded: (index) => second.isEncoded(index) || first.isEncoded(second.startOf(index)),
    startOf: (index) => first.startOf(second.startOf(index)),
    endOf: (index) => first.endOf(second.endOf(index) - 1),
  }
}

function readOnce(text: string): PlainReading | undefined {
  const found = new FoundCharacters()
  let plain = ''
  let done = 0
  let index = 0
  while (index < text.length) {
    const character = otherwiseAt(text, index)
    if (character === undefined) {
      index += 1
      continue
    }
    plain += text.slice(done, character.start)
    found.add(plain.length, character)
    plain += character.form
    done = character.end
    index = done
  }
  return found.count === 0 ? undefined : found.reading(plain + text.slice(done))
}

/** Members of a character that was found: where it is in the plain text, how long, where it is written, whether it is encoded. */
const members = 5

/** Characters that read otherwise than they are written, in order. A list of numbers, because a text can have very many. */
class FoundCharacters {
  #numbers = new Int32Array(members * 16)
  count = 0

  add(at: number, { form, start, end, isEncoded }: OtherCharacter): void {
    const from = this.count * members
    if (from === this.#numbers.length) {
      const more = new Int32Array(2 * from)
      more.set(this.#numbers)
      this.#numbers = more
    }
    this.#numbers[from] = at
    this.#numbers[from + 1] = form.length
    this.#numbers[from + 2] = start
    this.#numbers[from + 3] = end
    this.#numbers[from + 4] = isEncoded ? 1 : 0
    this.count += 1
  }

  /** Returns the plain text with where it is written. */
  reading(text: string): PlainReading {
    const placeOf = (index: number, last: number): number =>
      last < 0 ? index : this.#of(last, 3) + index - this.#of(last, 0) - this.#of(last, 1)
    const covers = (index: number, last: number): boolean => last >= 0 && index < this.#of(last, 0) + this.#of(last, 1)
    return {
      text,
      isEncoded: (index) => {
        const last = this.#lastUpTo(index)
        return covers(index, last) && this.#of(last, 4) === 1
      },
      startOf: (index) => {
        const last = this.#lastUpTo(index)
        return covers(index, last) ? this.#of(last, 2) : placeOf(index, last)
      },
      endOf: (index) => {
        const last = this.#lastUpTo(index)
        return covers(index, last) ? this.#of(last, 3) : placeOf(index, last) + 1
      },
    }
  }

  /** Returns the position of the last one that is not after an index of the plain text; -1 without one. */
  #lastUpTo(index: number): number {
    let [from, to] = [0, this.count]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#of(middle, 0) <= index) from = middle + 1
      else to = middle
    }
    return from - 1
  }

  #of(position: number, member: number): number {
    return this.#numbers[position * members + member] ?? 0
  }
}

interface OtherCharacter {
  /** What it reads as. */
  readonly form: string
  /** Where it is written. */
  readonly start: number
  readonly end: number
  readonly isEncoded: boolean
}

/** Returns the character at a place, if it reads otherwise than it is written. The second half of a surrogate pair does not. */
export function otherwiseAt(text: string, index: number): OtherCharacter | undefined {
  const unit = text.charCodeAt(index)
  if (unit < 128) {
    const found = beginsCode(unit) ? encodedAt(text, index, unit) : undefined
    return found && { form: formOf(found.code), start: index, end: found.end, isEncoded: true }
  }
  const code = text.codePointAt(index) ?? unit
  const form = plainForm(code)
  const end = index + (code > 0xffff ? 2 : 1)
  return text.startsWith(form, index) && form !== '' ? undefined : { form, start: index, end, isEncoded: false }
}

/** Returns whether a character can begin another one that is encoded. */
export function beginsCode(unit: number): boolean {
  return unit === 37 || unit === 38 || unit === 61 || unit === 92
}

const formOf = (code: number): string => (code < 128 ? String.fromCharCode(code) : plainForm(code))

interface EncodedCharacter {
  readonly code: number
  readonly end: number
}

function encodedAt(text: string, start: number, code: number): EncodedCharacter | undefined {
  if (code === 37) return percentEncoded(text, start)
  if (code === 61) return quotedPrintable(text, start)
  return code === 38 ? characterReference(text, start) : escaped(text, start)
}

/** Reads %40 and %2540, the several bytes of characters that are not ASCII, and %u0040. */
function percentEncoded(text: string, start: number): EncodedCharacter | undefined {
  if ((text.charCodeAt(start + 1) | 32) !== 117) return characterOfBytes(text, start, percentByte)
  const code = hexNumber(text.slice(start + 2, start + 6), 4)
  return code === undefined ? undefined : { code, end: start + 6 }
}

/** Reads =40, and the end of a line that only breaks it. */
function quotedPrintable(text: string, start: number): EncodedCharacter | undefined {
  const line = text.charCodeAt(start + 1) === 13 ? start + 2 : start + 1
  if (text.charCodeAt(line) === 10) return { code: ignorable, end: line + 1 }
  return characterOfBytes(text, start, quotedByte)
}

/** A character that is not shown. */
const ignorable = 0x200b

type ByteReader = (text: string, start: number) => EncodedCharacter | undefined

/** Reads a character of one to four encoded bytes of UTF-8. */
function characterOfBytes(text: string, start: number, byteAt: ByteReader): EncodedCharacter | undefined {
  const first = byteAt(text, start)
  if (first === undefined) return undefined
  if (first.code < 0xc2) return first.code < 128 ? first : undefined
  const more = first.code < 0xe0 ? 1 : first.code < 0xf0 ? 2 : 3
  let code = first.code & (0x3f >> more)
  let { end } = first
  for (let count = 0; count < more; count += 1) {
    const next = byteAt(text, end)
    if (next === undefined || next.code >> 6 !== 2) return undefined
    code = code * 64 + (next.code & 63)
    end = next.end
  }
  return code > 0x10ffff ? undefined : { code, end }
}

/** Reads =40. Its letters are capitals, so that fewer settings such as `a=be` look like it. */
function quotedByte(text: string, start: number): EncodedCharacter | undefined {
  if (text.charCodeAt(start) !== 61) return undefined
  const [high, low] = [capitalDigit(text.charCodeAt(start + 1)), capitalDigit(text.charCodeAt(start + 2))]
  return high >= 0 && low >= 0 ? { code: high * 16 + low, end: start + 3 } : undefined
}

/** Returns the value of a hexadecimal digit whose letters are capitals, -1 for other characters. */
const capitalDigit = (code: number): number => (code < 97 ? hexDigit(code) : -1)

/** Reads %40, in which the % may be encoded itself any number of times. */
function percentByte(text: string, start: number): EncodedCharacter | undefined {
  if (text.charCodeAt(start) !== 37) return undefined
  let end = start + 1
  while (text.charCodeAt(end) === 50 && text.charCodeAt(end + 1) === 53) end += 2
  const [high, low] = [hexDigit(text.charCodeAt(end)), hexDigit(text.charCodeAt(end + 1))]
  if (high >= 0 && low >= 0) return { code: high * 16 + low, end: end + 2 }
  return end > start + 1 ? { code: 37, end } : undefined
}

/** Returns the value of a hexadecimal digit, -1 for other characters. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

const names = new Map([
  ['amp', 38],
  ['AMP', 38],
  ['commat', 64],
  ['period', 46],
  ['lowbar', 95],
  ['UnderBar', 95],
  ['hyphen', 45],
  ['dash', 45],
  ['plus', 43],
  ['colon', 58],
  ['equals', 61],
  ['bsol', 92],
  ['quot', 34],
  ['lpar', 40],
  ['rpar', 41],
  ['num', 35],
  ['percnt', 37],
  ['nbsp', 0xa0],
  ['shy', 0xad],
  ['ZeroWidthSpace', 0x200b],
])
/** The first letters of all names: most of what follows a & is the name of a parameter of a URL. */
const firstLetters = new Set([...names.keys()].map((name) => name.charCodeAt(0)))
const nameMax = 14
const referenceMax = 16

/** Reads &#64;, &#x40; and &commat;. Browsers read most of them without the semicolon, too. */
function characterReference(text: string, start: number): EncodedCharacter | undefined {
  if (text.charCodeAt(start + 1) === 35) return numericReference(text, start)
  if (!firstLetters.has(text.charCodeAt(start + 1))) return undefined
  const after = text.slice(start + 1, start + 1 + nameMax)
  for (let length = /^[a-zA-Z]*/.exec(after)?.[0].length ?? 0; length > 2; length -= 1) {
    const code = names.get(after.slice(0, length))
    if (code !== undefined) return { code, end: afterSemicolon(text, start + 1 + length) }
  }
  return undefined
}

/** Reads &#64; and &#x40;, with any number of zeros before the digits. */
function numericReference(text: string, start: number): EncodedCharacter | undefined {
  const isHex = (text.charCodeAt(start + 2) | 32) === 120
  let first = start + (isHex ? 3 : 2)
  while (text.charCodeAt(first) === 48) first += 1
  const [digits = ''] = (isHex ? /^[\da-f]{1,6}/i : /^\d{1,7}/).exec(text.slice(first, first + 7)) ?? []
  const code = Number.parseInt(digits, isHex ? 16 : 10)
  return code > 0 && code <= 0x10ffff ? { code, end: afterSemicolon(text, first + digits.length) } : undefined
}

const afterSemicolon = (text: string, index: number): number => (text.charCodeAt(index) === 59 ? index + 1 : index)

/** Reads \u0040, \u{40} and \x40, and the escapes of the characters that JSON in JSON has. */
function escaped(text: string, start: number): EncodedCharacter | undefined {
  const kind = text[start + 1]
  if (kind === '\\' || kind === '"' || kind === '/') return { code: kind.charCodeAt(0), end: start + 2 }
  if (kind === 'u' && text[start + 2] === '{') {
    const length = text.slice(start, start + referenceMax).indexOf('}')
    const code = length < 0 ? undefined : hexNumber(text.slice(start + 3, start + length))
    return code === undefined || code > 0x10ffff ? undefined : { code, end: start + length + 1 }
  }
  const length = kind === 'u' ? 4 : 2
  const code = kind === 'u' || kind === 'x' ? hexNumber(text.slice(start + 2, start + 2 + length), length) : undefined
  return code === undefined ? undefined : { code, end: start + 2 + length }
}

function hexNumber(digits: string, length = digits.length): number | undefined {
  return digits.length === length && /^[0-9a-f]{1,8}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}
