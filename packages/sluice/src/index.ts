export { type Problem, WorkspaceFileError } from '@sluice/configuration/file'
export type { OwnStagePlace, StageOptions } from '@sluice/pipeline'
export { createSluice } from './create-sluice.ts'
export type { Logger } from './logger.ts'
export type { FetchArea, Sluice } from './sluice.ts'
export type { SluiceOptions } from './sluice-options.ts'
export { toNodeListener } from './to-node-listener.ts'
export {
  type ParseWorkspaceOptions,
  parseWorkspace,
  readWorkspaceFile,
  type WorkspaceFile,
} from './workspace/text/read-workspace-file.ts'
export { defineWorkspace } from './workspace/typed/define-workspace.ts'
export type { FromEvent } from './workspace/typed/from-event.ts'
export type { GateSettings, NativeSettings } from './workspace/typed/native-settings.ts'
export type { OwnSettings } from './workspace/typed/own-settings.ts'
export type { ParsedWorkspace } from './workspace/typed/parsed-workspace.ts'
export type {
  AccessTokenDefinition,
  ConnectionDefinition,
  DestinationEntry,
  SourceDefinition,
  WorkspaceDefinition,
  WorkspacesDefinition,
} from './workspace/typed/workspace-definition.ts'
