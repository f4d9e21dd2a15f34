/** Time as a process of a cluster measures it. */
export interface Timing {
  /** Milliseconds that never run backwards. They may stand still while the machine is suspended. */
  now(): number
  /** Milliseconds on the clock of the wall, which may jump. */
  wall(): number
  /** Calls a function after some milliseconds, which keep no process alive. @returns how to prevent that. */
  after(milliseconds: number, act: () => void): () => void
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}
