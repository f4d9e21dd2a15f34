import { bytesOf, textOf } from '@sluice/core/bytes'
import { hashBytes } from '@sluice/core/hash'
import { der, derBits, derObjectId, derTags, derText } from './der.ts'
import type { SigningKey } from './signing-key.ts'

const { sequence, set, integer, utf8Text, utcTime, generalizedTime, octetString } = derTags

const ed25519 = der(sequence, derObjectId('1.3.101.112'))
const name = der(sequence, der(set, der(sequence, derObjectId('2.5.4.3'), derText(utf8Text, 'Sluice'))))
// It holds as long as the key, which has no end: RFC 5280, 4.1.2.5.
const validity = der(sequence, derText(utcTime, '200101000000Z'), derText(generalizedTime, '99991231235959Z'))
const version3 = der(0xa0, der(integer, Uint8Array.of(2)))
const critical = Uint8Array.of(0x01, 0x01, 0xff)

/**
 * Returns the X.509 certificate of a key for a domain, as PEM: a controller checks signatures of OpenDSR with it. It is
 * signed by the key itself, so it proves nothing of the domain; fetching it over TLS does. The same key and domain always
 * give the same text. Source: RFC 5280, RFC 8410.
 */
export async function x509Certificate(key: SigningKey, domain: string): Promise<string> {
  const publicKey = bytesOf(key.publicKey, 'base64')
  // Positive, and different for each key and domain.
  const serial = Uint8Array.of(0x01, ...hashBytes('sha256', `${domain} ${key.publicKey}`).subarray(0, 15))
  const signed = der(
    sequence,
    version3,
    der(integer, serial),
    ed25519,
    name,
    validity,
    name,
    der(sequence, ed25519, derBits(publicKey)),
    der(0xa3, der(sequence, usage(), alternativeName(domain))),
  )
  const certificate = der(sequence, signed, ed25519, derBits(await key.signBytes(signed)))
  const lines = textOf(certificate, 'base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** Only for signatures. */
function usage(): Uint8Array {
  return der(sequence, derObjectId('2.5.29.15'), critical, der(octetString, derBits(Uint8Array.of(0x80), 7)))
}

function alternativeName(domain: string): Uint8Array {
  const dnsName = 0x82
  return der(sequence, derObjectId('2.5.29.17'), der(octetString, der(sequence, derText(dnsName, domain))))
}
