import { isJsonObject, type JsonObject } from '@sluice/core'
import type { Regulation } from '../regulation.ts'
import { RegulationError } from '../requests/regulation-error.ts'
import { hasValidSignature } from './certificate-signature.ts'
import type { DeletionCertificate, SubjectIdentity } from './deletion-certificate.ts'
import { findCancellation, type KnownLedger } from './find-entry.ts'
import { lineProblem } from './line-problem.ts'
import { SigningKey } from './signing/signing-key.ts'
import type { UserSearch } from './user-search.ts'

/** What a certificate is worth now. */
export interface CertificateVerification {
  /** Whether signature, key and chain are right, everything was searched that can be, and nothing was found. */
  readonly holds: boolean
  /** Whether it is as it was signed, by the public key in it. */
  readonly isSigned: boolean
  /** Whether that key is the one that is kept with the ledger. */
  readonly isLedgerKey: boolean
  /** What is wrong with the ledger up to the line that the certificate names; absent when nothing is. */
  readonly ledgerProblem?: string
  /** Whether the regulation was cancelled, so that events of the person are accepted again. */
  readonly isCanceled: boolean
  /** Since when, ISO 8601, by the ledger. */
  readonly canceledAt?: string
  readonly search: UserSearch
}

/** @param search of now. @throws RegulationError when it is no certificate of the regulation. */
export async function verifyCertificate(
  ledger: KnownLedger,
  regulation: Regulation,
  given: JsonObject,
  search: UserSearch,
): Promise<CertificateVerification> {
  const certificate = readCertificate(given, regulation)
  const isSigned = await hasValidSignature(given)
  const isLedgerKey = (await SigningKey.publicKeyOf(ledger.place)) === given['processor_public_key']
  const ledgerProblem = await lineProblem(ledger, regulation, certificate)
  const canceledAt = regulation.canceled ? await findCancellation(ledger, regulation) : undefined
  const isGone =
    search.searched.every(({ count }) => count === 0) &&
    search.notSearched.every(({ destinationId, hasFailed }) => destinationId !== undefined && !hasFailed)
  return {
    holds: isSigned && isLedgerKey && ledgerProblem === undefined && isGone,
    isSigned,
    isLedgerKey,
    ledgerProblem,
    isCanceled: regulation.canceled,
    canceledAt,
    search,
  }
}

type ReadCertificate = Pick<DeletionCertificate, 'ledger' | 'subject_identities'>

/** Returns what is used of a certificate that anybody may have written. */
function readCertificate(given: JsonObject, { id, workspaceId }: Regulation): ReadCertificate {
  const { certificate_version, subject_request_id, controller_id, ledger, subject_identities } = given
  if (certificate_version !== 1) throw invalid('certificate_version must be 1')
  if (subject_request_id !== id || controller_id !== workspaceId)
    throw invalid('it is of another regulation: subject_request_id and controller_id name it')
  if (!isJsonObject(ledger)) throw invalid('ledger must be an object')
  const { line } = ledger
  if (typeof line !== 'number') throw invalid('ledger.line must be a number')
  const text = (name: string): string => {
    const value = ledger[name]
    if (typeof value !== 'string') throw invalid(`ledger.${name} must be a string`)
    return value
  }
  if (!Array.isArray(subject_identities)) throw invalid('subject_identities must be a list')
  return {
    ledger: {
      place: text('place'),
      id: text('id'),
      chain: text('chain'),
      line,
      hash: text('hash'),
      written_time: text('written_time'),
    },
    subject_identities: subject_identities.map(readIdentity),
  }
}

function readIdentity(given: unknown): SubjectIdentity {
  const { identity_type, identity_format, identity_value } = isJsonObject(given) ? given : {}
  if (typeof identity_type !== 'string' || typeof identity_value !== 'string')
    throw invalid('each of subject_identities must have an identity_type and an identity_value')
  if (identity_format !== 'hmac-sha256' && identity_format !== 'raw')
    throw invalid('identity_format must be hmac-sha256 or raw')
  return { identity_type, identity_format, identity_value }
}

function invalid(problem: string): RegulationError {
  return new RegulationError('certificateInvalid', `this is no certificate of the regulation: ${problem}`)
}
