import { InvariantError, type Workspace } from '@sluice/core'
import type { CodeTrust, CompileResult, ProgramSource, Sandbox } from '@sluice/sandbox'

interface WorkspaceSandboxParts {
  /** Creates the sandbox of untrusted or of trusted code, when there is some. */
  create(code: CodeTrust): Promise<Sandbox>
  /** Whether a workspace is trusted when its file does not mention it. */
  trusts(workspaceId: string): boolean
}

/** What workspace files say about whose code is trusted, by the id of the workspace. */
type TrustMarks = ReadonlyMap<string, boolean>

export function trustMarksOf(workspaces: readonly Pick<Workspace, 'id' | 'trustsCode'>[]): TrustMarks {
  return new Map(workspaces.flatMap(({ id, trustsCode }) => (trustsCode === undefined ? [] : [[id, trustsCode]])))
}

/**
 * The sandboxes of a process: one for untrusted code, and one for that of trusted workspaces. They share no thread. A
 * workspace is untrusted unless its file or an option says otherwise; its file wins.
 */
export class WorkspaceSandbox implements Sandbox {
  readonly #parts: WorkspaceSandboxParts
  readonly #made = new Map<CodeTrust, Promise<Sandbox>>()
  #isClosed = false
  /** Programs that were compiled before a change stay where they are. */
  marks: TrustMarks = new Map()

  constructor(parts: WorkspaceSandboxParts) {
    this.#parts = parts
  }

  isTrusted(workspaceId: string): boolean {
    return this.marks.get(workspaceId) ?? this.#parts.trusts(workspaceId)
  }

  async compile(source: ProgramSource, owner = ''): Promise<CompileResult> {
    const sandbox = await this.#sandboxOf(this.isTrusted(owner) ? 'trusted' : 'untrusted')
    return sandbox.compile(source, owner)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const made = await Promise.allSettled(this.#made.values())
    await Promise.all(made.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
  }

  #sandboxOf(code: CodeTrust): Promise<Sandbox> {
    const known = this.#made.get(code)
    if (known) return known
    if (this.#isClosed) throw new InvariantError('the sandbox is closed')
    const made = this.#parts.create(code)
    this.#made.set(code, made)
    // What failed, as for want of memory, is tried again with the next code.
    made.catch(() => this.#made.delete(code))
    return made
  }
}
