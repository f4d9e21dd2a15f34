import { verify, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { LedgerPlace } from '../../ledger/ledger-place.ts'
import { SigningKey } from './signing-key.ts'
import { x509Certificate } from './x509-certificate.ts'

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

describe('the certificate of a key', () => {
  it('is one that other programs read, for the domain and for signatures only', async () => {
    const key = await SigningKey.of(placeOf())
    const certificate = new X509Certificate(await x509Certificate(key, 'dsr.shop.test'))
    expect(certificate.checkHost('dsr.shop.test')).toBe('dsr.shop.test')
    expect(certificate.checkHost('shop.test')).toBeUndefined()
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect([certificate.subject, certificate.issuer, certificate.ca]).toEqual(['CN=Sluice', 'CN=Sluice', false])
    expect(certificate.publicKey.export({ format: 'jwk' })).toMatchObject({ kty: 'OKP', crv: 'Ed25519' })
    const signature = Buffer.from(await key.sign('text'), 'base64')
    expect(verify(null, Buffer.from('text'), certificate.publicKey, signature)).toBe(true)
  })

  it('is always the same, and another one for another domain or key', async () => {
    const key = await SigningKey.of(placeOf())
    const one = await x509Certificate(key, 'a.test')
    expect(await x509Certificate(key, 'a.test')).toBe(one)
    const long = await x509Certificate(key, `${'long.'.repeat(40)}test`)
    const others = [
      await x509Certificate(key, 'b.test'),
      long,
      await x509Certificate(await SigningKey.of(placeOf()), 'a.test'),
    ]
    const serials = [one, ...others].map((pem) => new X509Certificate(pem).serialNumber)
    expect(new Set(serials).size).toBe(4)
  })
})
