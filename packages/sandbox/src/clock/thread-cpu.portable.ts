/** No platform but Node tells the processor time of a thread. */
export function openThreadCpu(): (() => number) | undefined {
  return undefined
}
