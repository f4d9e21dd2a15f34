import { createDeadline } from '@sluice/core'
import { applyWorkspace } from './assemble/apply-workspace.ts'
import { createBase } from './assemble/base.ts'
import { assembleDefinitions } from './assemble/definitions.ts'
import { assembleFlow } from './assemble/flow.ts'
import { assembleGovernance } from './assemble/governance.ts'
import { assembleHttp } from './assemble/http.ts'
import { memberOf } from './assemble/member-of.ts'
import { assembleOperations } from './assemble/operations.ts'
import { servicesOf } from './assemble/services.ts'
import { openStores } from './assemble/stores.ts'
import { openTelemetry } from './assemble/telemetry.ts'
import { mountedFetch } from './mounted-fetch.ts'
import { createAddressOf } from './public-address.ts'
import type { Siblings } from './siblings.ts'
import type { Sluice } from './sluice.ts'
import type { SluiceOptions } from './sluice-options.ts'

/** Default time for work in progress when stopping. */
const defaultStopMs = 10_000

/**
 * Puts the parts together and starts them: see `createSluice`.
 * @param siblings the processes of this server, when several answer on its port.
 */
export async function startSluice(options: SluiceOptions, siblings?: Siblings): Promise<Sluice> {
  const base = createBase(options)
  const { onError } = base

  // Open. First what may throw.
  const mount = mountedFetch(options.basePath)
  const addressOf = createAddressOf(options)
  const telemetry = await openTelemetry(options)
  const stores = openStores(base, telemetry)
  const { cluster } = stores

  // Build.
  const flow = await assembleFlow(base, stores, telemetry)
  const { engine } = flow
  const governance = assembleGovernance(base, stores, flow)
  const definitions = assembleDefinitions(base, stores, flow)
  const operations = assembleOperations(base, stores, flow, telemetry, siblings)

  let stopping: Promise<void> | undefined
  const close = async (deadlineMs = defaultStopMs): Promise<void> => {
    const deadline = createDeadline(deadlineMs)
    flow.endTaps()
    operations.stopExport()
    await flow.stopJobs()
    await governance.stop(deadline.left() / 2)
    await engine.stop(deadline.left())
    // Before the rest is closed: others continue at once.
    await cluster?.handOver().catch(onError)
    await operations.close()
    await flow.close()
    await stores.close()
  }

  try {
    // Compare with the ledger, apply the workspace.
    await applyWorkspace(base, stores, governance, definitions)
    // Join.
    await cluster?.join(memberOf(base, stores, flow, governance, definitions, telemetry))
    await governance.start()
  } catch (error) {
    await close()
    throw error
  }

  // Serve.
  const isStopping = () => stopping !== undefined
  const served = { stores, flow, governance, definitions, operations, addressOf, isStopping, siblings }
  const http = assembleHttp(base, served)
  return {
    ...servicesOf({ base, flow, governance, definitions, operations }),
    get workspaces() {
      return engine.workspaces
    },
    fetch: mount(http.fetch),
    areas: http.areas,
    issueStudioCode: http.issueStudioCode,
    endTaps: flow.endTaps,
    stop: (deadlineMs) => {
      stopping ??= close(deadlineMs)
      return stopping
    },
  }
}
