/** The sandbox has as much work as it may hold. Nothing was done; the same call may succeed later. */
export class SandboxBusyError extends Error {
  override readonly name = 'SandboxBusyError'
}
