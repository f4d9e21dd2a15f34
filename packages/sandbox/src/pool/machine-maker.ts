import type { EngineChoice } from '../engine-choice.ts'
import type { MachineParts } from '../vm/guest/guest.ts'
import type { MachinePort } from '../vm/machine-port.ts'
import { QuickJsMachine } from '../vm/quickjs-machine.ts'

/** Returns what makes the machines of a thread. A thread has only machines of one kind. */
export function machineMaker(engine: EngineChoice): (parts: MachineParts) => Promise<MachinePort> {
  if (engine.name === 'quickjs') return (parts) => QuickJsMachine.create({ ...parts, build: engine.build })
  let isFirst = true
  return async (parts) => {
    // Loaded by no thread for untrusted code.
    const [{ V8Machine }, { ignoreLeftRejections }] = await Promise.all([
      import('../v8/v8-machine.ts'),
      import('../v8/left-rejections.ts'),
    ])
    if (isFirst) ignoreLeftRejections()
    isFirst = false
    return new V8Machine(parts)
  }
}
