import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Event } from '@sluice/core'

export const light = `export function transformEvent(event) {
  if (event.event === 'Debug Ping') return null
  event.properties.seen = true
  event.context.traits = undefined
  return event
}`
const identity = 'export const transformEvent = (event) => event'
const piiLibrary = {
  name: 'pii',
  code: `const patterns = [
  [/[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}/g, '[email]'],
  [/\\+?\\d[\\d ()-]{7,}\\d/g, '[phone]'],
  [/\\b(?:\\d[ -]?){13,16}\\b/g, '[card]'],
  [/\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b/g, '[ip]'],
]
export function mask(value) {
  if (typeof value === 'string') return patterns.reduce((text, [pattern, by]) => text.replace(pattern, by), value)
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  const masked = {}
  for (const key in value) masked[key] = mask(value[key])
  return masked
}`,
}
const piiByRegex = `import { mask } from 'pii'\nexport const transformEvent = (event) => mask(event)`
const fourPatterns = `
const email = /[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}/g
const phone = /\\+?\\d[\\d ()-]{7,}\\d/g
const card = /\\b(?:\\d[ -]?){13,16}\\b/g
const ip = /\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b/g
function mask(value) {
  if (typeof value === 'string')
    return value.replace(email, '[email]').replace(phone, '[phone]').replace(card, '[card]').replace(ip, '[ip]')
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  const masked = {}
  for (const key in value) masked[key] = mask(value[key])
  return masked
}
export const transformEvent = (event) => mask(event)`
const emailPattern = fourPatterns.replace(".replace(phone, '[phone]').replace(card, '[card]').replace(ip, '[ip]')", '')
const piiBuiltIn = `import { mask } from '@sluice/pii'\nexport const transformEvent = (event) => mask(event)`
const rounds = 200
const heavy = `${sha256Source()}
export function transformEvent(event) {
  let text = event.messageId
  for (let i = 0; i < ${rounds}; i++) text = sha256(text)
  return { messageId: event.messageId, digest: text }
}`
const heavyBuiltIn = `import { sha256 } from '@sluice/hash'
export function transformEvent(event) {
  let text = event.messageId
  for (let i = 0; i < ${rounds}; i++) text = sha256(text)
  return { messageId: event.messageId, digest: text }
}`

/** Code of a user, and what its outputs must be. */
export interface Work {
  readonly name: string
  readonly code: string
  readonly libraries?: readonly { readonly name: string; readonly code: string }[]
  right(inputs: readonly Event[], outputs: readonly (Event | undefined)[]): void
}

const same: Work['right'] = (inputs, outputs) => assert.deepEqual(outputs, inputs)
export const works = {
  identity: { name: 'identity', code: identity, right: same },
  light: {
    name: 'light',
    code: light,
    right: (inputs, outputs) =>
      inputs.forEach((event, i) => {
        if (event['event'] === 'Debug Ping') assert.equal(outputs[i], undefined)
        else assert.equal((outputs[i]?.['properties'] as { seen?: boolean } | undefined)?.seen, true)
      }),
  },
  pii: { name: 'PII, four regexes and a library', code: piiByRegex, libraries: [piiLibrary], right: masked },
  fourPatterns: { name: 'four patterns over all strings', code: fourPatterns, right: masked },
  emailPattern: { name: 'one pattern for e-mail over all strings', code: emailPattern, right: masked },
  piiBuiltIn: { name: 'PII by @sluice/pii', code: piiBuiltIn, right: masked },
  heavy: { name: `sha256 by hand, ${rounds} times`, code: heavy, right: hashed },
  heavyBuiltIn: { name: `sha256 by @sluice/hash, ${rounds} times`, code: heavyBuiltIn, right: hashed },
} as const satisfies Record<string, Work>

function masked(inputs: readonly Event[], outputs: readonly (Event | undefined)[]): void {
  assert.equal(outputs.length, inputs.length)
  assert.equal(/@mail\.test/.test(JSON.stringify(outputs)), false)
}

function hashed(inputs: readonly Event[], outputs: readonly (Event | undefined)[]): void {
  let text = String(inputs[0]?.messageId)
  for (let i = 0; i < rounds; i += 1) text = createHash('sha256').update(text).digest('hex')
  assert.equal(outputs[0]?.['digest'], text)
}

/** SHA-256 as people write it when they have no library. FIPS 180-4. */
function sha256Source(): string {
  return `const K = []
for (let n = 2, i = 0; i < 64; n++) { let p = true; for (let d = 2; d * d <= n; d++) if (n % d === 0) { p = false; break } if (p) { const r = Math.cbrt(n); K[i++] = ((r - Math.floor(r)) * 2 ** 32) | 0 } }
const utf8 = (s) => unescape(encodeURIComponent(s))
function sha256(text) {
  const s = utf8(text), l = s.length, n = ((l + 8) >> 6) + 1, w = new Array(n * 16).fill(0)
  for (let i = 0; i < l; i++) w[i >> 2] |= s.charCodeAt(i) << (24 - (i & 3) * 8)
  w[l >> 2] |= 0x80 << (24 - (l & 3) * 8)
  w[n * 16 - 1] = l * 8
  let h = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19].map((x) => x | 0)
  const W = new Array(64), rot = (x, k) => (x >>> k) | (x << (32 - k))
  for (let b = 0; b < n; b++) {
    let [a, c, d, e, f, g, i, j] = h
    for (let t = 0; t < 64; t++) {
      if (t < 16) W[t] = w[b * 16 + t]
      else { const x = W[t - 15], y = W[t - 2]; W[t] = (W[t - 16] + (rot(x, 7) ^ rot(x, 18) ^ (x >>> 3)) + W[t - 7] + (rot(y, 17) ^ rot(y, 19) ^ (y >>> 10))) | 0 }
      const t1 = (j + (rot(f, 6) ^ rot(f, 11) ^ rot(f, 25)) + ((f & g) ^ (~f & i)) + K[t] + W[t]) | 0
      const t2 = ((rot(a, 2) ^ rot(a, 13) ^ rot(a, 22)) + ((a & c) ^ (a & d) ^ (c & d))) | 0
      j = i; i = g; g = f; f = (e + t1) | 0; e = d; d = c; c = a; a = (t1 + t2) | 0
    }
    h = [h[0] + a, h[1] + c, h[2] + d, h[3] + e, h[4] + f, h[5] + g, h[6] + i, h[7] + j].map((x) => x | 0)
  }
  return h.map((x) => (x >>> 0).toString(16).padStart(8, '0')).join('')
}`
}
