import type { SandboxFlags } from '../../flags/sandbox-flags.ts'

export interface BenchFlags extends SandboxFlags {
  readonly events: string
  readonly workspace?: string
  readonly compare?: string
  readonly batches: readonly number[]
  readonly time: number
  readonly html?: string
  readonly json?: true
}
