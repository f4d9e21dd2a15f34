/** The sandbox has no room for more work. Nothing was done; the same call may succeed later. */
export class SandboxBusyError extends Error {
  override readonly name = 'SandboxBusyError'
}
