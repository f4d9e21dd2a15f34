import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** One request of a configuration tool, and what answered it when it was recorded. */
export interface RecordedExchange {
  /** The command of the tool that it belongs to. */
  readonly run: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly request: unknown
  readonly status: number
  readonly answer: unknown
  /** `stub`: Sluice had no such route, or its answer would have ended the run. */
  readonly by: 'sluice' | 'stub'
  /** Whether all requests of the command are recorded. When it ran again, those that were the same are left out. */
  readonly isWhole: boolean
}

/** Commands that needed nothing from others that were not recorded. */
const whole = ['apply-create', 'apply-create-2', 'apply-update', 'apply-update-2', 'e2e-project', 'e2e-tr2', 'typer0']

const path = resolve(import.meta.dirname, '../../../shared/cases/clients/rudder-cli-and-terraform.ndjson')

/** Whether there is a recording; without it, tests that need it are skipped with a reason. */
export const hasExchange = existsSync(path)

if (!hasExchange)
  process.stderr.write(`skipping the recorded exchange of configuration tools: there is no file ${path}\n`)

export function recordedExchange(): readonly RecordedExchange[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  const ended = new Set<string>()
  let current = ''
  return lines
    .filter((line) => line !== '')
    .map((line): RecordedExchange => {
      const exchange: Omit<RecordedExchange, 'isWhole'> = JSON.parse(line)
      if (exchange.run !== current) ended.add(current)
      current = exchange.run
      return { ...exchange, isWhole: whole.includes(current) && !ended.has(current) }
    })
}
