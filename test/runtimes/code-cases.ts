import type { CodeToTry } from '@sluice/transformations'
import fc from 'fast-check'
import { endlessBuiltIns, type HostileProgram, hostilePrograms } from '../abuse/programs.ts'
import { sized } from '../support/long.ts'
import { hostileCode, randomCode, varyingEnds } from '../support/texts/code-to-try.ts'

const libraries = [{ name: 'doubling', code: 'export const doubled = (n) => n * 2' }]
const texts = ['plain', 'é', '€\u{1f600}', 'lone \ud800', '']

/** Uses what differs between platforms: bytes, hashes, texts, patterns, lines of errors. */
const everything: CodeToTry = {
  name: 'tried',
  libraries,
  code: `import { sha256, hmac } from '@sluice/hash'
import { base64Encode, utf8Length } from '@sluice/encoding'
import { v5 } from '@sluice/uuid'
import { mask } from '@sluice/pii'
import { doubled } from 'doubling'
export function transformEvent(event) {
  const { text } = event
  log(text)
  if (event.evil === 'throw') throw new TypeError('no ' + text)
  if (event.evil === 'loop') for (;;) {}
  if (event.evil === 'deep') { const f = () => f(); f() }
  if (event.evil === 'bomb') { const list = []; for (;;) list.push(new Array(1e6).fill(0)) }
  return mask({ ...event, hash: sha256(text), mac: hmac('md5', 'key', text), base64: base64Encode(text), length: utf8Length(text),
    id: v5(text, 'url'), n: doubled(2), wide: text + '\\u{1f600}', lone: '\\ud800', at: 'a@b.test ::ffff:1.2.3.4' })
}`,
  events: [
    ...texts.map((text) => ({ type: 'track', text })),
    ...['throw', 'loop', 'deep', 'bomb'].map((evil) => ({ type: 'track', text: evil, evil })),
  ],
}
const broken: CodeToTry = { name: 'broken', code: 'export const a = 1\n}', libraries, events: [] }

/** Only the end of a thread stops these, and there is none. */
const hangs = ({ name }: HostileProgram): boolean =>
  name === 'native loop at the top level' || endlessBuiltIns.some((each) => each.name === name)
const hostile: readonly CodeToTry[] = hostilePrograms
  .filter((program) => !varyingEnds.includes(program.name) && !hangs(program))
  .filter((_, index) => index % sized(8, 1) === 0)
  .map(hostileCode)

/** Code to try on every platform: with what differs between them, hostile, and random. */
export const codeCases = (): readonly CodeToTry[] => [
  everything,
  broken,
  ...hostile,
  ...fc.sample(randomCode, sized(20, 300)),
]
