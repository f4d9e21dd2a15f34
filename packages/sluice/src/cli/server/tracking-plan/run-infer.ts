import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrackingPlan } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { inferPlan, mergePlans, type PlanChange } from '@sluice/schema'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { type LearnFlags, learnEvents } from './learn-events.ts'
import { readPlan } from './read-plan.ts'
import { rudderCliFiles } from './rudder-cli-files.ts'
import { segmentRules } from './segment-rules.ts'

export interface InferFlags extends LearnFlags {
  readonly requiredFrom: number
  readonly minEvents: number
  readonly enumMax: number
  readonly closed?: true
  readonly merge?: string
  readonly mergeSource?: string
  readonly weaken?: true
  readonly format: 'sluice' | 'segment' | 'rudder-cli'
  readonly out?: string
}

/** Runs `sluice plan infer`. */
export async function runInfer(flags: InferFlags): Promise<void> {
  // Before events are read, which may take long.
  const existing = flags.merge === undefined ? undefined : await readPlan(flags.merge, flags.mergeSource)
  const { plan: inferred, tooFew } = inferPlan(await learnEvents(flags), {
    requiredFrom: flags.requiredFrom,
    eventsMin: flags.minEvents,
    enumMax: flags.enumMax,
    isClosed: flags.closed === true,
  })
  const merged = existing === undefined ? undefined : mergePlans(existing, inferred, flags.weaken === true)
  const plan = merged?.plan ?? inferred
  for (const { name, count } of tooFew)
    process.stderr.write(
      `${printable(name)} is left out: it was seen ${count} times; --min-events is ${flags.minEvents}\n`,
    )
  if (merged !== undefined) process.stderr.write(`${changesText(merged.changes)}\n`)
  await write(plan, flags)
  if (flags.json) printLine(JSON.stringify({ plan, tooFew, ...(merged ? { changes: merged.changes } : {}) }))
}

const marks = { new: '+', gone: '-', changed: '~' }

/** Shows what differs from a plan, and what of it the merged plan does not follow. */
function changesText(changes: readonly PlanChange[]): string {
  if (changes.length === 0) return 'no difference from the plan'
  return changes
    .map(({ kind, event, path, text, isApplied }) => {
      const kept = isApplied || kind === 'gone' ? '' : ' (kept as it is)'
      return `${marks[kind]} ${printable(path === '' ? event : `${event}: ${path}`)} ${text}${kept}`
    })
    .join('\n')
}

async function write(plan: TrackingPlan, { format, out, json }: InferFlags): Promise<void> {
  if (format === 'rudder-cli') {
    const files = await rudderCliFiles(plan)
    if (out === undefined) {
      if (!json) process.stdout.write(files.map(({ text }) => text).join('---\n'))
      return
    }
    for (const { name, text } of files) await writeOut(join(out, name), text, out)
    return
  }
  const text = `${JSON.stringify(format === 'segment' ? segmentRules(plan) : plan, null, 2)}\n`
  if (out !== undefined) await writeOut(out, text)
  else if (!json) process.stdout.write(text)
}

async function writeOut(file: string, text: string, folder?: string): Promise<void> {
  try {
    if (folder !== undefined) await mkdir(folder, { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    throw new CliError(`--out: ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
