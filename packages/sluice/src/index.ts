export { createSluice, type FetchArea, type Sluice, type SluiceOptions } from './create-sluice.ts'
export { type Problem, WorkspaceFileError } from './workspace/problem.ts'
export { readWorkspaceFile, type WorkspaceFile } from './workspace/read-workspace-file.ts'
export type { WorkspaceDefinition, WorkspacesDefinition } from './workspace/workspace-schema.ts'
