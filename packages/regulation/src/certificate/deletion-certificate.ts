/**
 * States that the data of a person was deleted: what was searched, how, and with which result. Members have the names of
 * OpenDSR where it has them. Source: packages/docs/behaviour/regulations.md#certificates.
 */
export interface DeletionCertificate {
  readonly certificate_version: 1
  /** Id of the regulation. */
  readonly subject_request_id: string
  readonly subject_request_type: 'erasure'
  /** Id of the workspace. */
  readonly controller_id: string
  /** When the regulation was created. Times are ISO 8601, UTC. */
  readonly received_time: string
  /** When the last deletion ended. */
  readonly expected_completion_time: string
  readonly request_status: CertificateStatus
  readonly subject_identities: readonly SubjectIdentity[]
  /** Every place that may have had data of the person. */
  readonly places: readonly CertifiedPlace[]
  /** What is kept of the person although the data was deleted, and why. */
  readonly kept: readonly string[]
  /** Line of the ledger in which the regulation is. */
  readonly ledger: CertifiedLine
  readonly issued_time: string
  /** Name and version of what deleted. */
  readonly processor: string
  /** Ed25519, 32 bytes in base64. */
  readonly processor_public_key: string
  /** Ed25519 signature in base64, of the canonical text (RFC 8785) of all other members. */
  readonly processor_signature: string
}

/**
 * `completed`: every place is complete. `cancelled`: the regulation was cancelled, so data may have come again.
 * `incomplete`: some place is not complete, and nothing more will be done.
 */
export type CertificateStatus = 'completed' | 'incomplete' | 'cancelled'

export interface SubjectIdentity {
  /** `controller_customer_id` for the userId; other identifiers have their own name. */
  readonly identity_type: string
  /** `hmac-sha256`: a fingerprint under the key of the ledger. `raw`: the id itself, given by the caller. */
  readonly identity_format: 'hmac-sha256' | 'raw'
  readonly identity_value: string
}

/**
 * `found`: it was deleted, and when the certificate was made there was something again, or still. `not_supported`: the
 * place cannot delete. `not_requested`: the regulation does not cover the destination. `done_by_hand`: a person says that they
 * deleted it, which no program has searched.
 */
export type PlaceStatus = 'complete' | 'found' | 'aborted' | 'not_supported' | 'not_requested' | 'done_by_hand'

export interface CertifiedPlace {
  readonly name: string
  /** Absent for what Sluice itself keeps. */
  readonly destination_id?: string
  /** Absent for what Sluice itself keeps, and for a destination that is no longer configured. */
  readonly destination_type?: string
  /** Names of the identifiers by which the person was looked for. */
  readonly searched_by: readonly string[]
  readonly status: PlaceStatus
  /** Why it is not complete. */
  readonly reason?: string
  /** What the place reported of the deletion. */
  readonly deleted?: string
  /** When the deletion ended. */
  readonly ended_time?: string
}

export interface CertifiedLine {
  /** What operators call the place of the ledger. */
  readonly place: string
  readonly id: string
  readonly chain: string
  /** 1 for the first line of the chain. */
  readonly line: number
  /** SHA-256 of the line, base64url. */
  readonly hash: string
  readonly written_time: string
}
