import { portCalls, type WritingCall } from './port-calls.ts'

/** Returns the calls of all methods of all ports, by their names. @param w the workspace in which they are called. */
export function callsOf(w: string): Readonly<Record<string, Readonly<Record<string, WritingCall | 'reads'>>>> {
  return portCalls(w)
}

/** Names of all ports, and of the methods of each that write. */
export const writingMethods: readonly (readonly [port: string, method: string])[] = Object.entries(callsOf('')).flatMap(
  ([port, calls]) =>
    Object.entries(calls).flatMap(([method, call]) => (call === 'reads' ? [] : [[port, method] as const])),
)
