import { createSeededRandom, systemClock } from '@sluice/core'
import { createModuleSet, type ModuleSet } from '../code/module-set.ts'
import { binaryCrossing } from '../crossing/binary-crossing.ts'
import { type GuestApi, noGuestApi } from '../guest-api.ts'
import { completeLimits, type SandboxLimits } from '../sandbox-limits.ts'
import { engineBuild } from '../vm/engine/engine.ts'
import { MachineSlot } from '../vm/machine-slot.ts'
import { QuickJsMachine } from '../vm/quickjs-machine.ts'

/** A slot, and the one program that a test runs in it. */
interface BareSlot {
  readonly slot: MachineSlot
  readonly modules: ModuleSet
  readonly limits: SandboxLimits
}

/** Creates a slot for tests of the parts of a batch. By default the program finds no host functions. */
export async function createBareSlot(
  code: string,
  { api = noGuestApi, ...limits }: Partial<SandboxLimits> & { readonly api?: GuestApi } = {},
): Promise<BareSlot> {
  const complete = completeLimits(limits)
  const build = await engineBuild()
  const parts = {
    build,
    crossing: binaryCrossing,
    limits: complete,
    clock: systemClock,
    random: createSeededRandom(1),
    api,
  }
  return {
    slot: new MachineSlot(parts, () => QuickJsMachine.create(parts)),
    modules: createModuleSet({ name: 't', code, libraries: [] }),
    limits: complete,
  }
}
