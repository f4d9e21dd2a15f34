// Runs in Node, Deno and Bun alike: tries code in the sandbox and prints what became of each event as JSON. The first
// argument may name the file of the engine.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createSandbox } from '@sluice/sandbox'
import { createTransformationPrograms, tryCode } from '@sluice/transformations'

const limits = { eventTimeMs: 200, batchTimeMs: 2_000, stackBytes: 32 * 1024 }
const [, , engineFile] = process.argv
const engine = engineFile && Uint8Array.from(readFileSync(engineFile))
const sandbox = await createSandbox({ mode: 'in-process', limits, ...(engine && { engine }) })
const programs = createTransformationPrograms({ sandbox })
const code = `import { sha256, hmac } from '@sluice/hash'
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
}`
const texts = ['plain', 'é', '€\u{1f600}', 'lone \ud800', '']
const events = [
  ...texts.map((text) => ({ type: 'track', text })),
  ...['throw', 'loop', 'deep', 'bomb'].map((evil) => ({ type: 'track', text: evil, evil })),
]
const libraries = [{ name: 'doubling', code: 'export const doubled = (n) => n * 2' }]
const { outcomes, log, problems } = await tryCode(
  programs,
  { name: 'tried', code, libraries, events },
  new AbortController().signal,
)
const broken = await tryCode(
  programs,
  { name: 'broken', code: 'export const a = 1\n}', libraries, events: [] },
  new AbortController().signal,
)
await sandbox.close()
process.stdout.write(JSON.stringify({ outcomes, log, problems, broken: broken.problems }))
