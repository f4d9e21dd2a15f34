export {
  type AccessAttempts,
  type AccessAttemptsOptions,
  type Attempt,
  createAccessAttempts,
  type WrongAccess,
} from './access-attempts.ts'
export { parseAuthorization } from './authorization.ts'
export { type BackupAreaOptions, createBackupArea } from './backup-area.ts'
export { BodyBudget } from './body-budget.ts'
export { clientIpFromHeader } from './client-ip.ts'
export { type ConfigurationOptions, createConfigurationArea } from './configuration-area.ts'
export { createDeadLettersArea, type DeadLettersAreaOptions } from './dead-letters-area.ts'
export { createDefinitionsArea } from './definitions-area.ts'
export { createGovernanceArea, type GovernanceOptions } from './governance-area.ts'
export { createHealthArea } from './health-area.ts'
export { createIngestionArea, type IngestionOptions } from './ingestion-area.ts'
export { createOpenapiArea, openapiDocument } from './openapi-area.ts'
export { createOperationsArea, type OperationsAreaOptions } from './operations-area.ts'
export {
  type AdminCredentials,
  createOperatorGate,
  type OperatorCall,
  type OperatorGate,
  type OperatorGateOptions,
  type OperatorRouteOptions,
} from './operator-gate.ts'
export { createRegulationsArea, type RegulationsAreaOptions } from './regulations-area.ts'
export { createReplaysArea, type ReplaysAreaOptions } from './replays-area.ts'
export { type Area, createArea, type ResponseDescription, type Route, type RouteDescription } from './route.ts'
export { withSafeHeaders } from './safe-headers.ts'
export { createTapArea, type TapAreaOptions } from './tap-area.ts'
export { createTestArea, type TestAreaOptions } from './test-area.ts'
export {
  type Answer,
  answer,
  type Call,
  createTokenGate,
  problem,
  type TokenGate,
  type TokenGateOptions,
  type TokenRouteOptions,
} from './token-gate.ts'
export { createTransformationsArea, type TransformationsAreaOptions } from './transformations-area.ts'
