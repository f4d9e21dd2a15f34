export { hasValidSignature } from './certificate/certificate-signature.ts'
export { type Certificates, type CertificatesOptions, createCertificates } from './certificate/certificates.ts'
export type { CertifiedDestination } from './certificate/certified-places.ts'
export type {
  CertificateStatus,
  CertifiedLine,
  CertifiedPlace,
  DeletionCertificate,
  PlaceStatus,
  SubjectIdentity,
} from './certificate/deletion-certificate.ts'
export { ownPlaces, type SearchedPlace, type UnsearchedPlace, type UserSearch } from './certificate/user-search.ts'
export type { CertificateVerification } from './certificate/verify-certificate.ts'
export {
  type DeletionJob,
  type DeletionStatus,
  type DeletionUpdate,
  deletionStatuses,
  deletionWaitMsMax,
  isDeletionDue,
  isDeletionOver,
  isDoneByHand,
  ownData,
} from './deletion/deletion-job.ts'
export type { DeletionStore, DeletionTarget, HeldDeletions } from './deletion/deletion-store.ts'
export { createDeletions, type Deletions } from './deletion/deletions.ts'
export type { DeletionsOptions } from './deletion/deletions-options.ts'
export type { Eraser, Erasure, ErasureProgress } from './deletion/eraser.ts'
export { forgetWritings } from './deletion/forget-writings.ts'
export { readChain } from './ledger/chain/read-chains.ts'
export { operatorKeyCharsMin } from './ledger/keys/id-sealer.ts'
export { rekeyLedger } from './ledger/keys/rekey-ledger.ts'
export { createLedger, type Ledger, type LedgerOptions, type LedgerReport } from './ledger/ledger.ts'
export { LedgerBrokenError } from './ledger/ledger-errors.ts'
export { hasRegulationsWithoutIds, incompleteMark, markServedWithoutLedger } from './ledger/ledger-marks.ts'
export type { LedgerLine, LedgerPlace, LedgerText } from './ledger/ledger-place.ts'
export type { LedgerRecord } from './ledger/ledger-record.ts'
export { adoptLedger } from './ledger/restore/adopt-ledger.ts'
export { type DrilledPerson, type DrillReport, drillRestore } from './ledger/restore/drill-restore.ts'
export { needsIds } from './ledger/restore/fill-in-ids.ts'
export { type ChainReport, requireWholeLedger, verifyLedger } from './ledger/verify-ledger.ts'
export { identityTypes } from './opendsr/identity-types.ts'
export type { SubjectRequestState, SubjectRequestStatus } from './opendsr/request-state.ts'
export { commonMembers, openDsrPath, statusAnswer } from './opendsr/status-answer.ts'
export { createStatusCallbacks, type StatusCallbacks, type StatusReport } from './opendsr/status-callbacks.ts'
export {
  openDsrVersion,
  processorDomain,
  type StatusCallback,
  type SubjectRequest,
  type SubjectRequestType,
  subjectRequestTypes,
} from './opendsr/subject-request.ts'
export { SubjectRequestError } from './opendsr/subject-request-error.ts'
export {
  isLookDue,
  lookMsMax,
  type StoredSubjectRequest,
  type SubjectRequestStore,
} from './opendsr/subject-request-store.ts'
export { createSubjectRequests, type SubjectRequests } from './opendsr/subject-requests.ts'
export { type Regulation, type RegulationType, regulationTypes } from './regulation.ts'
export type {
  DeletionLimit,
  LedgerMarkStore,
  RegulationChange,
  RegulationPage,
  RegulationPageRequest,
  RegulationStore,
  SegmentStore,
  SettledIndex,
  StoredSegment,
} from './regulation-store.ts'
export { createRegulations, type RegulationListRequest, type Regulations } from './regulations.ts'
export { type NewRegulation, type RegulatedUser, type RegulatedWorkspace, usersMax } from './requests/check-request.ts'
export {
  RegulationError,
  type RegulationErrorCode,
  regulationErrors,
  type UserProblem,
} from './requests/regulation-error.ts'
export {
  type FindUsers,
  type KnownUser,
  type PersonIdentifiers,
  type PersonIds,
  searchedIdentifiers,
  searchPerson,
} from './requests/search-person.ts'
export { aliasOf, isAlias, keysOfRegulation, type PersonOfRegulation } from './suppression/identity-fingerprint.ts'
export {
  createSuppressStage,
  type SuppressStage,
  suppressedReason,
  type WhenUnavailable,
} from './suppression/suppress-stage.ts'
export {
  createSuppressionIndex,
  type SuppressionIndex,
  SuppressionMismatchError,
  type SuppressionQuestion,
  SuppressionUnavailableError,
} from './suppression/suppression-index.ts'
export type { UserAliases } from './suppression/user-aliases.ts'
export { type Writing, type WritingStore, writingsMax, writingsPerUserMax } from './writing-store.ts'
