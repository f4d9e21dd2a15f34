import type { MachineParts } from '../vm/guest/guest.ts'
import type { Machine } from '../vm/machine-port.ts'
import { QuickJsMachine } from '../vm/quickjs-machine.ts'
import type { EngineOfPool } from './threads-port.ts'

/** Returns what makes the machines of a thread. A thread has only machines of one kind. */
export function machineMaker(engine: EngineOfPool): (parts: MachineParts) => Promise<Machine> {
  if (engine.name === 'quickjs') return (parts) => QuickJsMachine.create({ ...parts, build: engine.build })
  return async (parts) => {
    // Loaded by no thread for untrusted code.
    const { V8Machine } = await import('../v8/v8-machine.ts')
    return new V8Machine(parts)
  }
}
