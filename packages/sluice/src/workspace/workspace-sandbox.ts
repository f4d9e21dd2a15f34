import type { Workspace } from '@sluice/core'
import type { CompileResult, ProgramSource, Sandbox } from '@sluice/sandbox'

interface WorkspaceSandboxParts {
  readonly untrusted: Sandbox
  /** Creates the sandbox of trusted code, when there is some. */
  createTrusted(): Promise<Sandbox>
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
  #trusted: Promise<Sandbox> | undefined
  /** Programs that were compiled before a change stay where they are. */
  marks: TrustMarks = new Map()

  constructor(parts: WorkspaceSandboxParts) {
    this.#parts = parts
  }

  isTrusted(workspaceId: string): boolean {
    return this.marks.get(workspaceId) ?? this.#parts.trusts(workspaceId)
  }

  async compile(source: ProgramSource, owner = ''): Promise<CompileResult> {
    if (!this.isTrusted(owner)) return this.#parts.untrusted.compile(source, owner)
    this.#trusted ??= this.#parts.createTrusted()
    return (await this.#trusted).compile(source, owner)
  }

  async close(): Promise<void> {
    const trusted = this.#trusted
    await Promise.all([this.#parts.untrusted.close(), trusted?.then((sandbox) => sandbox.close())])
  }
}
