/** A certificate of deletion, as `GET /v2/regulations/{id}/certificate` makes it. */
export interface DeletionCertificate {
  readonly subject_request_id: string
  readonly controller_id: string
  readonly received_time: string
  readonly expected_completion_time: string
  readonly issued_time: string
  readonly request_status: 'completed' | 'incomplete' | 'cancelled'
  readonly subject_identities: readonly {
    readonly identity_type: string
    readonly identity_format: 'hmac-sha256' | 'raw'
    readonly identity_value: string
  }[]
  readonly places: readonly CertifiedPlace[]
  readonly kept: readonly string[]
  readonly ledger: { readonly place: string; readonly chain: string; readonly line: number; readonly hash: string }
  readonly processor: string
  readonly processor_public_key: string
  readonly processor_signature: string
}

interface CertifiedPlace {
  readonly name: string
  readonly destination_id?: string
  readonly searched_by: readonly string[]
  readonly status: 'complete' | 'found' | 'aborted' | 'not_supported' | 'not_requested' | 'done_by_hand'
  readonly reason?: string
  readonly deleted?: string
  readonly ended_time?: string
}

/** What the status of a place means, in words. */
export const statusTexts: Readonly<Record<CertifiedPlace['status'], string>> = {
  complete: 'searched and deleted',
  found: 'deleted, and found again',
  aborted: 'not deleted',
  not_supported: 'cannot delete',
  not_requested: 'not part of this request',
  done_by_hand: 'done by a person, not searched',
}

/** Returns what a certificate states as a whole, in one sentence. */
export function statement({ request_status, places }: Pick<DeletionCertificate, 'request_status' | 'places'>): string {
  if (request_status === 'completed')
    return `Complete: the person was searched in all ${places.length} places listed below, and what was found was deleted.`
  if (request_status === 'cancelled')
    return 'Cancelled: the data was deleted, and later the request was withdrawn. Data of the person may have come again.'
  const open = places.filter(({ status }) => status !== 'complete').length
  return `Not complete: in ${open} of ${places.length} places the data was not deleted, or was found again. Ask the owners of these places yourself.`
}

/** Returns the name of an identifier that OpenDSR calls so. */
export function identityText(type: string): string {
  return type === 'controller_customer_id' ? 'userId' : type
}
