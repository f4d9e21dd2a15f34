import { CliError } from '../../cli-error.ts'
import { askServer, type ServerFlags, ServerRefusal } from '../ask-server.ts'
import { change } from './configuration-part.ts'
import type { PlannedPart } from './configuration-plan.ts'
import { connectCode } from './connect-code.ts'
import { publishCode } from './publish-code.ts'
import type { WorkspacePlan } from './workspace-plan.ts'

interface Step {
  /** Such as `publish 2 transformations and libraries`. */
  readonly what: string
  run(): Promise<unknown>
}

/**
 * Carries out a plan. Code is published first, and a new connection to a destination that gets a transformation is made
 * last, so that no event passes without it. All other parts change together, each only if it still has the revision
 * that the plan has seen.
 *
 * @throws CliError that says what was done and what not. The next plan has the rest.
 */
export async function applyPlan(flags: ServerFlags & { readonly force?: true }, plan: WorkspacePlan): Promise<void> {
  const steps = stepsOf(flags, plan)
  const done: string[] = []
  for (const { what, run } of steps)
    try {
      await run()
      done.push(what)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      const left = steps.slice(done.length).map((step) => step.what)
      throw new CliError(
        [
          error.message,
          `${isUnknown(error) ? 'Whether this was done is unknown' : 'Not done'}: ${left.join('; ')}.`,
          `Done: ${done.length === 0 ? 'nothing' : done.join('; ')}. Run sluice apply again to continue${hintOf(error)}.`,
        ].join('\n'),
        1,
        { cause: error },
      )
    }
}

/** No answer, or that of a proxy: the change may have happened. */
function isUnknown(error: CliError): boolean {
  return !(error instanceof ServerRefusal) || error.code === '' || error.code === 'internal'
}

function hintOf(error: CliError): string {
  const changed =
    error instanceof ServerRefusal && ['recordChanged', 'recordTaken', 'recordUnknown'].includes(error.code)
  return changed ? '; it shows what someone else changed meanwhile' : ''
}

function stepsOf(flags: ServerFlags & { readonly force?: true }, plan: WorkspacePlan): readonly Step[] {
  const { parts, codes, connections, rename } = plan
  const receiving = new Set(connections.map(({ destination }) => destination))
  const waits = ({ kind, action, change: { body } }: PlannedPart): boolean =>
    kind === 'connection' && action !== 'delete' && receiving.has(String(body?.['destination']))
  const first = parts.filter((part) => !waits(part))
  const last = parts.filter(waits)
  const options = { force: flags.force === true }
  const send = (some: readonly PlannedPart[]) => () =>
    change(
      flags,
      some.map((part) => part.change),
      options,
    )
  return [
    {
      what: `publish ${counted(codes.length, 'transformation or library', 'transformations and libraries')}`,
      count: codes.length,
      run: () => publishCode(flags, codes),
    },
    { what: `change ${counted(first.length, 'part', 'parts')}`, count: first.length, run: send(first) },
    {
      what: `connect ${counted(connections.length, 'transformation', 'transformations')}`,
      count: connections.length,
      run: () => connectCode(flags, connections),
    },
    {
      what: `connect sources with ${counted(receiving.size, 'destination', 'destinations')}`,
      count: last.length,
      run: send(last),
    },
    {
      what: 'rename the workspace',
      count: rename ? 1 : 0,
      run: () => askServer(flags, 'PUT', '/v2/workspace', { name: rename?.after }, rename?.revision),
    },
  ].filter(({ count }) => count > 0)
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
