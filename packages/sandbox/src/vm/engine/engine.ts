import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from 'quickjs-emscripten-core'
import { engineFile } from '#engine-file'
import { releaseSync } from '../../release-sync.ts'
import { type EngineLayout, findLayout } from './engine-layout.ts'
import { type WasmModule, webAssembly } from './web-assembly.ts'

const pageBytes = 65_536
/** Initial memory required by this build of the engine. */
const initialPages = 256
/**
 * Share of the memory limit from which the engine counts as full. It grows its memory by at least a twentieth, so it
 * can run out of memory this close to the limit.
 */
const fullShare = 0.9

/** The compiled engine and its memory layout. Created once per process; can be sent to workers. */
export interface EngineBuild {
  readonly module: WasmModule
  readonly layout: EngineLayout
}

/** One instance of QuickJS in WebAssembly, with its own memory of limited size. */
export interface Engine {
  readonly quickjs: QuickJSWASMModule
  readonly layout: EngineLayout
  /** Returns the whole memory. Growing the memory replaces the array, so do not keep it. */
  bytes(): Uint8Array
  /** Returns the end of the heap. It is read from memory that a broken guest could have changed. */
  heapEnd(): number
  /** Returns by how many bytes the heap may still grow. */
  roomBytes(): number
  /**
   * Returns whether the engine may have run out of memory. Such an engine cannot be trusted any more, because its glue
   * code ignores failed allocations.
   */
  isFull(): boolean
  /** Returns how often memory was refused. As long as this does not change, results of the glue code are valid. */
  refusals(): number
}

/** The engine as its file has it, or compiled, on platforms that do not compile at run time. */
export type EngineSource = Uint8Array<ArrayBuffer> | WasmModule

const builds = new WeakMap<EngineSource, Promise<EngineBuild>>()
let ownBuild: Promise<EngineBuild> | undefined

/**
 * Returns the compiled engine, and compiles it on the first call.
 * @param source Default: the file of the package that has the engine, where the platform can read it.
 * @throws InvariantError when it is not the build that the sandbox was made for.
 */
export function engineBuild(source?: EngineSource): Promise<EngineBuild> {
  if (source === undefined) {
    ownBuild ??= engineFile().then(compile)
    return ownBuild
  }
  const known = builds.get(source) ?? compile(source)
  builds.set(source, known)
  return known
}

/**
 * Creates an instance of the engine.
 * @param memoryBytes limit of the whole memory. The engine's own limit (`setMemoryLimit`) does not work in this build,
 * so the limit is set on the WebAssembly memory itself. Source:
 * packages/docs/decisions/0006-limits-around-the-engine.md.
 */
export async function createEngine({ module, layout }: EngineBuild, memoryBytes: number): Promise<Engine> {
  const maximum = Math.floor(memoryBytes / pageBytes)
  const memory = new webAssembly.Memory({ initial: initialPages, maximum })
  let refusals = 0
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    try {
      return grow(pages)
    } catch (thrown) {
      refusals += 1
      throw thrown
    }
  }
  const quickjs = await newQuickJSWASMModuleFromVariant(
    // An abort is reported as an exception, so the text that the engine also prints is not needed.
    newVariant(releaseSync, { wasmModule: module, wasmMemory: memory, emscriptenModule: quiet }),
  )
  let bytes = new Uint8Array(memory.buffer)
  const capBytes = maximum * pageBytes
  const current = (): Uint8Array => {
    if (bytes.buffer !== memory.buffer) bytes = new Uint8Array(memory.buffer)
    return bytes
  }
  const heapEnd = (): number => {
    const at = layout.heapEndAt
    const now = current()
    return ((now[at] ?? 0) | ((now[at + 1] ?? 0) << 8) | ((now[at + 2] ?? 0) << 16) | ((now[at + 3] ?? 0) << 24)) >>> 0
  }
  return {
    quickjs,
    layout,
    bytes: current,
    heapEnd,
    roomBytes: () => capBytes - heapEnd(),
    isFull: () => heapEnd() > capBytes * fullShare,
    refusals: () => refusals,
  }
}

const quiet = { printErr: () => {} } as object

/** Compiles the engine, and finds the layout of its memory with a first instance. */
async function compile(source: EngineSource): Promise<EngineBuild> {
  const module = source instanceof Uint8Array ? await webAssembly.compile(source) : source
  const memory = new webAssembly.Memory({ initial: initialPages, maximum: initialPages * 4 })
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(releaseSync, { wasmModule: module, wasmMemory: memory, emscriptenModule: quiet }),
  )
  return { module, layout: findLayout(quickjs, memory) }
}
