export { type BackupAreaOptions, createBackupArea } from './areas/backup-area.ts'
export { type ChecksAreaOptions, createChecksArea } from './areas/checks-area.ts'
export { type ConfigurationOptions, createConfigurationArea } from './areas/configuration-area.ts'
export { createDeadLettersArea, type DeadLettersAreaOptions } from './areas/dead-letters-area.ts'
export { createDefinitionsArea } from './areas/definitions-area.ts'
export { createGovernanceArea, type GovernanceOptions } from './areas/governance/governance-area.ts'
export { createHealthArea, type Health } from './areas/health-area.ts'
export { createIngestionArea, type IngestionOptions } from './areas/ingestion-area.ts'
export { createOpenapiArea, openapiDocument } from './areas/openapi-area.ts'
export { createOperationsArea, type OperationsAreaOptions } from './areas/operations/operations-area.ts'
export { createRegulationsArea, type RegulationsAreaOptions } from './areas/regulations/regulations-area.ts'
export { createReplaysArea, type ReplaysAreaOptions } from './areas/replays-area.ts'
export { createTapArea, type TapAreaOptions } from './areas/tap-area.ts'
export {
  createTransformationsArea,
  type TransformationsAreaOptions,
} from './areas/transformations/transformations-area.ts'
export { createTrialArea, type TrialAreaOptions } from './areas/trial/trial-area.ts'
export {
  type AccessAttempts,
  type AccessAttemptsOptions,
  type Attempt,
  createAccessAttempts,
  type WrongAccess,
} from './gate/access-attempts.ts'
export { type Answer, answer, problem } from './gate/answer.ts'
export { parseAuthorization } from './gate/authorization.ts'
export { BodyBudget } from './gate/body-budget.ts'
export { clientIpFromHeader } from './gate/client-ip.ts'
export {
  type AdminCredentials,
  createOperatorGate,
  type OperatorCall,
  type OperatorGate,
  type OperatorGateOptions,
  type OperatorRouteOptions,
} from './gate/operator-gate.ts'
export {
  type Call,
  createTokenGate,
  type TokenGate,
  type TokenGateOptions,
  type TokenRouteOptions,
} from './gate/token-gate.ts'
export { type Area, createArea } from './routing/area.ts'
export type { ResponseDescription, Route, RouteDescription } from './routing/route.ts'
export { type FetchHandler, type ServedRoutes, serveRoutes } from './routing/serve-routes.ts'
