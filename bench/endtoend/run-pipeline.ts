import { execFileSync } from 'node:child_process'
import type { PipelineSetup, Sustained } from './pipeline.ts'
import type { Recovery, RecoverySetup } from './recovery.ts'
import type { SlowUsers, SlowUsersSetup } from './slow-users.ts'

/** Measures one pipeline in a process of its own. */
export function runPipeline(setup: PipelineSetup): Sustained {
  return JSON.parse(run('./pipeline.js', setup)) as Sustained
}

/** Measures, in a process of its own, a pipeline whose destination does not answer for some users. */
export function runSlowUsers(setup: SlowUsersSetup): SlowUsers {
  return JSON.parse(run('./slow-users.js', setup)) as SlowUsers
}

/** Measures, in a process of its own, ten destinations, two of them back after they were down. */
export function runRecovery(setup: RecoverySetup): Recovery {
  return JSON.parse(run('./recovery.js', setup)) as Recovery
}

function run(name: string, setup: object): string {
  const script = new URL(name, import.meta.url).pathname
  return execFileSync(process.execPath, [script, JSON.stringify(setup)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
