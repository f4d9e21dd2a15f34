import type { AST } from '#inlined/regexpp'

const latinEnd = 256
const upperA = 65
const upperZ = 90
const caseBit = 32

/** White space up to U+00FF. */
const spaces = new Set([9, 10, 11, 12, 13, 32, 0xa0])
const lineFeed = 10
const carriageReturn = 13

/** The characters that a pattern may take from a text; rather too many than too few. */
export class Alphabet {
  /** 1 for each character up to U+00FF that is in the alphabet. */
  readonly chars = new Uint8Array(latinEnd)
  /** Whether characters above U+00FF are in it. They are all alike here. */
  wide = false

  /** Whether every character is in it. */
  get isFull(): boolean {
    return this.wide && this.chars.every((one) => one === 1)
  }

  /** Adds the characters from `from` to `to`, both included. */
  add(from: number, to: number): void {
    if (from < latinEnd) this.chars.fill(1, from, to + 1)
    if (to >= latinEnd) this.wide = true
  }

  addAll(): void {
    this.chars.fill(1)
    this.wide = true
  }

  /** Adds what `\d`, `.` and their like stand for. */
  addSet(set: AST.CharacterSet, dotTakesAll: boolean): void {
    if (set.kind === 'property') {
      this.addAll()
      return
    }
    const isNegated = set.kind !== 'any' && set.negate
    for (let code = 0; code < latinEnd; code += 1)
      if (isInSet(set.kind, code, dotTakesAll) !== isNegated) this.chars[code] = 1
    if (set.kind === 'any' || set.kind === 'space' || isNegated) this.wide = true
  }

  /**
   * Adds what is not among `members`. Letters are added in any case: with the flag i, `[^k]` may take what `[k]` names
   * in another case.
   */
  addOthers(members: Alphabet): void {
    for (let code = 0; code < latinEnd; code += 1) if (members.chars[code] === 0 || isLetter(code)) this.chars[code] = 1
    this.wide = true
  }

  /**
   * Adds everything that may equal a member when case is ignored. Beyond ASCII these are all letters, because engines
   * differ in which they treat as equal, and some of them equal ASCII letters.
   */
  ignoreCase(): void {
    if (!this.wide && !this.chars.some((one, code) => one === 1 && isLetter(code))) return
    for (let code = 0; code < latinEnd; code += 1) if (isLetter(code)) this.chars[code] = 1
    this.wide = true
  }
}

function isInSet(kind: 'any' | 'digit' | 'space' | 'word', code: number, dotTakesAll: boolean): boolean {
  if (kind === 'any') return dotTakesAll || (code !== lineFeed && code !== carriageReturn)
  if (kind === 'space') return spaces.has(code)
  const isDigit = code >= 48 && code <= 57
  return kind === 'digit' ? isDigit : isDigit || isAsciiLetter(code) || code === 95
}

function isAsciiLetter(code: number): boolean {
  const upper = code & ~caseBit
  return code < 0x80 && upper >= upperA && upper <= upperZ
}

/** Whether this may be a letter; all of the second half count as such. */
const isLetter = (code: number): boolean => code >= 0x80 || isAsciiLetter(code)
