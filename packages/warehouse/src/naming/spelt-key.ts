import { hash } from 'node:crypto'
import { nameTextMax } from './clean-name.ts'

/** Letters that stand for Cyrillic and Greek ones, as ISO 9 and ISO 843 nearly have them. Others fall apart by themselves, or have none. */
const latin: ReadonlyMap<string, string> = new Map(
  `а a,б b,в v,г g,ґ g,д d,ђ dj,е e,є ie,ж zh,з z,и i,і i,ј j,к k,л l,љ lj,м m,н n,њ nj,о o,п p,р r,с s,т t,ћ c,у u,ф f,х kh,ц ts,
   ч ch,џ dz,ш sh,щ shch,ъ ,ы y,ь ,э e,ю yu,я ya,α a,β b,γ g,δ d,ε e,ζ z,η i,θ th,ι i,κ k,λ l,μ m,ν n,ξ x,ο o,π p,ρ r,σ s,
   ς s,τ t,υ y,φ f,χ ch,ψ ps,ω o,ß ss,æ ae,ø o,œ oe,đ d,ł l,þ th,ð d`
    .split(',')
    .map((pair): [string, string] => {
      const [letter = '', ...rest] = pair.trim().split(' ')
      return [letter, rest.join('')]
    }),
)
/** Digits of a digest as letters: a name is divided between digits and letters. */
const digestLetters = 'abcdefghijklmnop'
const digestLength = 10

const otherAlphabet = /(?!\p{Script=Latin})\p{L}/u

/**
 * Returns a key, or the name of an event, from which a name can be made. One with letters of another alphabet, or without any letter of
 * the English one, would lose what tells it from others: it is written in English letters as far as possible, and ends in a digest of
 * itself, so that no two of them share a name. Others are unchanged. Source: packages/docs/behaviour/warehouses.md#names.
 */
export function speltKey(key: string): string {
  const text = key.slice(0, nameTextMax)
  if (!otherAlphabet.test(text) && (/[A-Za-z]/.test(text) || (/[0-9]/.test(text) && !/\p{L}/u.test(text)))) return key
  const letters = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\p{L}/gu, (letter) => latin.get(letter) ?? (letter < '\u0080' ? letter : ' '))
  return `${/[a-z0-9]/.test(letters) ? letters : 'name'}_${digestOf(key)}`
}

function digestOf(text: string): string {
  const digits = hash('sha256', text).slice(0, digestLength)
  return digits.replaceAll(/./g, (digit) => digestLetters[Number.parseInt(digit, 16)] ?? '')
}
