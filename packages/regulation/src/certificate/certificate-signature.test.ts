import type { JsonObject, JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LedgerPlace } from '../ledger/ledger-place.ts'
import { hasValidSignature, signCertificate } from './certificate-signature.ts'
import { canonicalJson } from './signing/canonical-json.ts'
import { SigningKey } from './signing/signing-key.ts'

/** The part of the port that keeps texts. */
function placeOf(texts = new Map<string, string>()): LedgerPlace {
  const part: Pick<LedgerPlace, 'name' | 'kept' | 'keep'> = {
    name: 'memory',
    kept: async (name) => texts.get(name),
    keep: async (name, fresh) => {
      texts.set(name, texts.get(name) ?? fresh)
      return texts.get(name) ?? fresh
    },
  }
  return part as LedgerPlace
}

const signed = async (): Promise<JsonObject> => {
  const certificate = await signCertificate(await SigningKey.of(placeOf()), {
    certificate_version: 1,
    subject_request_id: 'r1',
    subject_request_type: 'erasure',
    controller_id: 'w',
    received_time: '2026-01-01T00:00:00.000Z',
    expected_completion_time: '2026-01-02T00:00:00.000Z',
    request_status: 'incomplete',
    subject_identities: [{ identity_type: 'email', identity_format: 'hmac-sha256', identity_value: 'f' }],
    places: [{ name: 'event log', searched_by: ['userId'], status: 'complete' }],
    kept: ['the regulation'],
    ledger: { place: 'memory', id: 'i', chain: 'c', line: 1, hash: 'h', written_time: '2026-01-01T00:00:00.000Z' },
    issued_time: '2026-01-03T00:00:00.000Z',
    processor: 'Sluice 0.0.0',
  })
  return { ...certificate } as unknown as JsonObject
}

/** Returns the paths of all values that are neither lists nor objects. */
function leavesOf(value: JsonValue, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member ?? null, [...path, name]))
}

function changed(value: JsonValue, [name, ...rest]: readonly string[], by: JsonValue): JsonValue {
  if (name === undefined) return by
  if (Array.isArray(value)) return value.map((each, i) => (String(i) === name ? changed(each, rest, by) : each))
  const members = value as JsonObject
  return { ...members, [name]: changed(members[name] ?? null, rest, by) }
}

describe('the signature of a certificate', () => {
  it('holds whatever the order of members and the white space', async () => {
    const certificate = await signed()
    const reordered = Object.fromEntries(Object.entries(certificate).reverse())
    expect(await hasValidSignature(JSON.parse(JSON.stringify(reordered, null, 4)))).toBe(true)
  })

  it('is broken by any other value of any member', async () => {
    const certificate = await signed()
    const leaf = fc.constantFrom(...leavesOf(certificate))
    await fc.assert(
      fc.asyncProperty(leaf, fc.oneof(fc.string(), fc.integer(), fc.constant(null)), async (path, value) => {
        const before = path.reduce<JsonValue>((at, name) => (at as JsonObject)[name] ?? null, certificate)
        fc.pre(before !== value)
        expect(await hasValidSignature(changed(certificate, path, value) as JsonObject)).toBe(false)
      }),
    )
  })

  it('is broken by a member that was added or taken out', async () => {
    const certificate = await signed()
    expect(await hasValidSignature({ ...certificate, note: 'all fine' })).toBe(false)
    for (const name of Object.keys(certificate)) {
      const { [name]: _, ...rest } = certificate
      expect(await hasValidSignature(rest)).toBe(false)
    }
  })

  it('is broken, and nothing else, by hostile values', async () => {
    let deep: JsonValue = 1
    for (let i = 0; i < 50_000; i += 1) deep = [deep]
    const certificate = await signed()
    expect(await hasValidSignature({ ...certificate, deep })).toBe(false)
    expect(await hasValidSignature({ processor_public_key: 'x', processor_signature: '' })).toBe(false)
    expect(await hasValidSignature({})).toBe(false)
  })
})

describe('the key that signs', () => {
  it('is made once per ledger', async () => {
    const texts = new Map<string, string>()
    const keys = [await SigningKey.of(placeOf(texts)), await SigningKey.of(placeOf(texts))]
    expect(keys[0]?.publicKey).toBe(keys[1]?.publicKey)
    expect(await SigningKey.publicKeyOf(placeOf(texts))).toBe(keys[0]?.publicKey)
    expect(await SigningKey.publicKeyOf(placeOf())).toBeUndefined()
  })

  it('is reported when it cannot be read', async () => {
    const place = placeOf(new Map([['signingKey', '{"kty":"OKP"}']]))
    await expect(SigningKey.of(place)).rejects.toThrow(/cannot be read in memory/)
  })
})

it('canonical JSON is the text of RFC 8785: sorted members, no white space, shortest numbers', () => {
  // The example of section 3.2.3, without numbers that JSON.parse rounds.
  const value = { '\u20ac': 'Euro', '\r': 'CR', '\ufb33': 'Dalet', '1': 'One', '\ud83d\ude00': 'Smile', '\u0080': 'C' }
  expect(canonicalJson(value)).toBe(
    '{"\\r":"CR","1":"One","\u0080":"C","\u20ac":"Euro","\ud83d\ude00":"Smile","\ufb33":"Dalet"}',
  )
  expect(canonicalJson({ b: [1.5, true, null], a: { d: 1e21, c: '\n' } })).toBe(
    '{"a":{"c":"\\n","d":1e+21},"b":[1.5,true,null]}',
  )
})
