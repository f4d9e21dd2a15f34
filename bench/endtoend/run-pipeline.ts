import { execFileSync } from 'node:child_process'
import type { PipelineSetup, Sustained } from './pipeline.ts'

/** Measures one pipeline in a process of its own. */
export function runPipeline(setup: PipelineSetup): Sustained {
  const script = new URL('./pipeline.js', import.meta.url).pathname
  const output = execFileSync(process.execPath, [script, JSON.stringify(setup)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output) as Sustained
}
