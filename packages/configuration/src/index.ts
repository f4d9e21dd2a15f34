export { tokenLengthMin } from './definition/access-token-of.ts'
export { workspaceFileSchema } from './definition/file-schema.ts'
export { inOneForm } from './definition/in-one-form.ts'
export type { ParseContext, PlacedTransformation } from './definition/parse-context.ts'
export { type ParsedWorkspaces, parseWorkspaces } from './definition/parse-workspaces.ts'
export { type Problem, shown, WorkspaceFileError } from './definition/problems/problem.ts'
export { unknownSettingsIn } from './definition/problems/unknown-settings.ts'
export {
  type WorkspaceForm,
  WorkspaceSchema,
  type WorkspacesForm,
  WorkspacesSchema,
} from './definition/workspace-schema.ts'
export { importRudderStack } from './imports/import-rudderstack.ts'
export { importSegment } from './imports/import-segment.ts'
export type { ImportedWorkspace, ImportNote } from './imports/imported-workspace.ts'
export { type SecretVariable, secretsToVariables, type WithoutSecrets } from './imports/secrets-to-variables.ts'
export { customTypeRules } from './plans/event-rules.ts'
export { customTypeNamed, itemTypesOf, type PlanPart, type PlanParts } from './plans/plan-parts.ts'
export { createTrackingPlans, linkOf, type SavedPart, type TrackingPlans } from './plans/tracking-plans.ts'
export {
  type ConfigurationRecord,
  type PlanKind,
  type RecordKey,
  type RecordKind,
  recordKinds,
} from './records/configuration-record.ts'
export type { ConfigurationStore, RecordChanges, StoredConfiguration } from './records/configuration-store.ts'
export { restoreSecrets } from './records/restore-secrets.ts'
export type {
  ChangeOptions,
  Configuration,
  ConfigurationChange,
  ConfigurationEntry,
  NewToken,
} from './service/configuration.ts'
export {
  type ChangeProblem,
  type ConfigurationError,
  type ConfigurationErrorCode,
  type ConfigurationResult,
  configurationErrors,
} from './service/configuration-error.ts'
export type { AppliedWorkspaces, ChangedRecord, ConfigurationParts } from './service/configuration-parts.ts'
export { createConfiguration } from './service/create-configuration.ts'
export { adminTokenVariable, ensureAdminToken } from './service/ensure-admin-token.ts'
export { ensureWorkspace } from './service/ensure-workspace.ts'
export { pauseDestinations } from './service/pause-destinations.ts'
