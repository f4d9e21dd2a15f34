import type { JsonObject } from '@sluice/core'
import { canonicalJson } from './signing/canonical-json.ts'
import { isSignedBy, type SigningKey } from './signing/signing-key.ts'

/** Adds the public key and the signature, which covers every other member, to a certificate. */
export async function signCertificate<const Unsigned extends object>(
  key: SigningKey,
  unsigned: Unsigned,
): Promise<Unsigned & { readonly processor_public_key: string; readonly processor_signature: string }> {
  const signed = { ...unsigned, processor_public_key: key.publicKey }
  return { ...signed, processor_signature: await key.sign(signedText(signed)) }
}

/**
 * Returns whether a certificate is as it was signed, by its own public key. Whether that key is to be trusted, only the
 * ledger can tell.
 */
export async function hasValidSignature({ processor_signature, ...signed }: JsonObject): Promise<boolean> {
  const { processor_public_key } = signed
  if (typeof processor_signature !== 'string' || typeof processor_public_key !== 'string') return false
  try {
    return await isSignedBy(processor_public_key, signedText(signed), processor_signature)
  } catch {
    return false
  }
}

const signedText = (signed: object): string => canonicalJson(signed as JsonObject)
