export { createGuestFetch } from '#guest-fetch'
export { createTypeStripper } from '#type-stripper'
export { fetchNotAllowed } from './api/fetch/fetch.ts'
export { type FetchRequest, parseFetchRequest } from './api/fetch/fetch-request.ts'
export type { FetchOptions } from './api/fetch/fetch-rules.ts'
export type { FetchedText, GuestFetch } from './api/fetch/guest-fetch.ts'
export type { GeolocationPort } from './api/globals/geolocation.ts'
export type { Timing } from './clock/create-run-clock.ts'
export { type CodePosition, codePositions } from './errors/code-positions.ts'
export {
  type AsyncHostCall,
  type GuestApi,
  type HostCallContext,
  noGuestApi,
  type RunContext,
  type SyncHostCall,
} from './guest-api.ts'
export { metadataKeys } from './metadata-keys.ts'
export { createProbes, type Probes } from './probes.ts'
export {
  type CompileResult,
  type GuestInput,
  nothingReturned,
  type Program,
  type ProgramRun,
  type ProgramSource,
} from './program.ts'
export { type CodeTrust, checkSandboxOptions, createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
export { defaultSandboxLimits, type SandboxLimits } from './sandbox-limits.ts'
export type { StripResult, TypeStripper } from './typescript/type-stripper.ts'
export type { Isolation } from './vm/batch-request.ts'
export type { EngineSource } from './vm/engine/engine.ts'
export type { WarmPrograms } from './vm/machine-slot.ts'
