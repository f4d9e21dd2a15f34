import { signCertificate } from '../certificate/certificate-signature.ts'
import type { CertificateStatus, DeletionCertificate } from '../certificate/deletion-certificate.ts'
import type { SigningKey } from '../certificate/signing/signing-key.ts'
import type { SubjectRequest } from './subject-request.ts'

/** States the erasure of a person with several ids: a certificate for each, signed as one. */
interface SubjectCertificate
  extends Pick<
    DeletionCertificate,
    | 'certificate_version'
    | 'subject_request_type'
    | 'controller_id'
    | 'received_time'
    | 'expected_completion_time'
    | 'request_status'
    | 'issued_time'
    | 'processor'
    | 'processor_public_key'
    | 'processor_signature'
  > {
  /** Of the request. */
  readonly subject_request_id: string
  /** Of its regulations, in order. Each can be verified alone. */
  readonly certificates: readonly DeletionCertificate[]
}

/** Returns the certificate of a request: that of its regulation, or one that has those of all. */
export async function certifySubject(
  key: SigningKey,
  { id, workspaceId, receivedAt }: SubjectRequest,
  certificates: readonly [DeletionCertificate, ...DeletionCertificate[]],
): Promise<DeletionCertificate | SubjectCertificate> {
  const [first, ...more] = certificates
  if (more.length === 0) return first
  const latest = (times: readonly string[]): string => times.toSorted().at(-1) ?? first.issued_time
  return signCertificate(key, {
    certificate_version: 1,
    subject_request_id: id,
    subject_request_type: 'erasure',
    controller_id: workspaceId,
    received_time: new Date(receivedAt).toISOString(),
    expected_completion_time: latest(certificates.map((each) => each.expected_completion_time)),
    request_status: statusOf(certificates.map(({ request_status }) => request_status)),
    certificates,
    issued_time: latest(certificates.map(({ issued_time }) => issued_time)),
    processor: first.processor,
  })
}

/** One that was cancelled or is incomplete makes the whole so. */
function statusOf(statuses: readonly CertificateStatus[]): CertificateStatus {
  if (statuses.includes('incomplete')) return 'incomplete'
  return statuses.includes('cancelled') ? 'cancelled' : 'completed'
}
