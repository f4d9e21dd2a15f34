export { camelCase } from './camel-case.ts'
export { metadataKeys } from './metadata-keys.ts'
export {
  type CompileResult,
  type GuestInput,
  nothingReturned,
  type Program,
  type ProgramRun,
  type ProgramSource,
} from './program.ts'
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
export { defaultSandboxLimits, type SandboxLimits } from './sandbox-limits.ts'
