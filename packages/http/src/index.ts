export { type AuditAreaOptions, createAuditArea } from './areas/audit-area.ts'
export { type BackupAreaOptions, createBackupArea } from './areas/backup-area.ts'
export { type CatalogueAreaOptions, createCatalogueArea } from './areas/catalogue/catalogue-area.ts'
export type {
  CatalogueDetail,
  CatalogueDrift,
  CatalogueModels,
  CatalogueValues,
  PlanCheck,
  TrackingPlans,
} from './areas/catalogue/catalogue-schemas.ts'
export { createPlanCheckArea, type PlanCheckAreaOptions } from './areas/catalogue/plan-check-area.ts'
export { type ChangesAreaOptions, createChangesArea } from './areas/changes-area.ts'
export { type ChecksAreaOptions, createChecksArea } from './areas/checks-area.ts'
export { type ConfigurationOptions, createConfigurationArea } from './areas/configuration/configuration-area.ts'
export { createDeadLettersArea, type DeadLettersAreaOptions } from './areas/dead-letters/dead-letters-area.ts'
export { createJobsArea, type JobsAreaOptions } from './areas/dead-letters/jobs-area.ts'
export { createDefinitionsArea } from './areas/definitions-area.ts'
export {
  type ComparedLog,
  createDiffsArea,
  type DiffCall,
  type DiffRefusal,
  type DiffsAreaOptions,
  type PlannedChange,
} from './areas/diffs/diffs-area.ts'
export { createErrorPagesArea } from './areas/errors/error-pages-area.ts'
export type { ServedFile } from './areas/file-answer.ts'
export { createGovernanceArea, type GovernanceOptions } from './areas/governance/governance-area.ts'
export { createHealthArea, type Health, type HealthWarning } from './areas/health-area.ts'
export { createIngestionArea, type IngestionOptions } from './areas/ingestion/ingestion-area.ts'
export { type BrowserSdks, type RudderBuild, rudderBuilds } from './areas/ingestion/sdks/sdk-routes.ts'
export { createLogsArea, type LogsAreaOptions } from './areas/logs-area.ts'
export { type CircuitTryAreaOptions, createCircuitTryArea } from './areas/operations/circuit-try-area.ts'
export { createDeliveriesArea, type DeliveriesAreaOptions } from './areas/operations/deliveries-area.ts'
export type { HistoryReportAnswer } from './areas/operations/history-schemas.ts'
export { createOperationsArea, type OperationsAreaOptions } from './areas/operations/operations-area.ts'
export type { CircuitsAnswer, HistoryAnswer, StatsAnswer } from './areas/operations/operations-schemas.ts'
export type { OutcomesAnswer } from './areas/operations/outcomes-schemas.ts'
export { createPayloadArea, type PayloadAreaOptions } from './areas/operations/payload-area.ts'
export { createRecordedEventsArea, type RecordedEventsAreaOptions } from './areas/operations/recorded-events-area.ts'
export { createPlansArea, type PlansAreaOptions } from './areas/plans/plans-area.ts'
export { type CertificatesAreaOptions, createCertificatesArea } from './areas/regulations/certificates-area.ts'
export { createOpenDsrArea, type OpenDsrAreaOptions } from './areas/regulations/opendsr/opendsr-area.ts'
export { createRegulationsArea, type RegulationsAreaOptions } from './areas/regulations/regulations-area.ts'
export { createUserReportArea, type UserReportAreaOptions } from './areas/regulations/user-report-area.ts'
export { createReplaysArea, type ReplaysAreaOptions } from './areas/replays-area.ts'
export { createServerArea, type ServerAreaOptions, type ServerFacts } from './areas/server-area.ts'
export { createStudioArea, type StudioAreaOptions } from './areas/studio/studio-area.ts'
export type { StudioFile, StudioFiles } from './areas/studio/studio-files.ts'
export { createTapArea, type TapAreaOptions } from './areas/tap-area.ts'
export {
  createTransformationsArea,
  type TransformationsAreaOptions,
} from './areas/transformations/transformations-area.ts'
export { createTrialArea, type TrialAreaOptions } from './areas/trial/trial-area.ts'
export { createWarehousesArea, type WarehousesAreaOptions } from './areas/warehouses-area.ts'
export { createOpenapiArea, openapiDocument } from './areas/welcome/openapi-area.ts'
export { createWelcomeArea, type WelcomeOptions } from './areas/welcome/welcome-area.ts'
export {
  type AccessAttempts,
  type AccessAttemptsOptions,
  type Attempt,
  createAccessAttempts,
  type WrongAccess,
} from './gate/access/access-attempts.ts'
export { parseAuthorization } from './gate/access/authorization.ts'
export { type Caller, presentCaller } from './gate/access/caller.ts'
export { clientIpFromHeader, type HeaderClientIp } from './gate/access/client-ip.ts'
export {
  type AdminCredentials,
  createOperatorGate,
  type OperatorCall,
  type OperatorGate,
  type OperatorGateOptions,
  type OperatorRouteOptions,
} from './gate/access/operator-gate.ts'
export {
  createPageSessions,
  type PageSessions,
  type PageSessionsOptions,
  type PageVisitor,
} from './gate/access/page-sessions.ts'
export {
  type Call,
  createTokenGate,
  type TokenGate,
  type TokenGateOptions,
  type TokenRouteOptions,
} from './gate/access/token-gate.ts'
export { type Answer, answer, problem } from './gate/answer.ts'
export { BodyBudget } from './gate/body/body-budget.ts'
export type { PlainHeaders, PlainRequest } from './gate/plain-request.ts'
export { createSearchTurns, type SearchTurns } from './gate/search-turns.ts'
export { type ApiErrorCode, type ApiErrorTraits, apiErrors } from './routing/api-errors.ts'
export { type Area, createArea } from './routing/area.ts'
export type { NodeFetch, PlainAnswer, TakeFromNode } from './routing/node-fetch.ts'
export type { ResponseDescription, Route, RouteDescription } from './routing/route.ts'
export { type FetchHandler, type ServedRoutes, serveRoutes } from './routing/serve-routes.ts'
