import { readFile } from 'node:fs/promises'
import { InvariantError } from '@sluice/core'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from 'quickjs-emscripten'
import { type EngineLayout, findLayout } from './engine-layout.ts'
import { type WasmModule, webAssembly } from './web-assembly.ts'

const pageBytes = 65_536
/** What this build of the engine asks for. */
const initialPages = 256
/** The engine grows its memory by a twentieth at least, so it can be out of memory this close to the cap. */
const fullShare = 0.9

/** The compiled engine and where things lie in its memory. Made once per process; workers can be sent it. */
export interface EngineBuild {
  readonly module: WasmModule
  readonly layout: EngineLayout
}

/** One instance of QuickJS in WebAssembly, with a memory of its own that cannot grow beyond a cap. */
export interface Engine {
  readonly quickjs: QuickJSWASMModule
  readonly layout: EngineLayout
  /** The whole memory as it is now; growing replaces it. */
  bytes(): Uint8Array
  /** Where the heap ends. Lies in memory that a broken guest could have written. */
  heapEnd(): number
  /** Bytes that the heap may still grow by. */
  roomBytes(): number
  /**
   * True once it may have been out of memory; nothing in it can be relied on then, because its glue ignores failed
   * allocations.
   */
  isFull(): boolean
  /**
   * How often it was refused more memory. What its glue does without noticing is sound as long as this stays the
   * same.
   */
  refusals(): number
}

let build: Promise<EngineBuild> | undefined

/** Compiles the engine, or gives what is compiled. */
export function engineBuild(): Promise<EngineBuild> {
  build ??= compile()
  return build
}

/**
 * @param memoryBytes cap of the whole memory. The engine's own limit (`setMemoryLimit`) does not hold in this build,
 * so the cap is put on the WebAssembly memory itself. Source: packages/docs/decisions/0006-limits-around-the-engine.md.
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
    // An abort is reported as an exception; the text it prints as well would only confuse the logs of the host.
    newVariant(RELEASE_SYNC, { wasmModule: module, wasmMemory: memory, emscriptenModule: quiet }),
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

/**
 * Makes a first instance the ordinary way: it tells where the engine lies on disk, and its memory is read for the
 * layout.
 */
async function compile(): Promise<EngineBuild> {
  let location: string | undefined
  const memory = new webAssembly.Memory({ initial: initialPages, maximum: initialPages * 4 })
  const locateFile = (name: string, folder: string): string => {
    location = folder + name
    return location
  }
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(RELEASE_SYNC, { wasmMemory: memory, locateFile, emscriptenModule: quiet }),
  )
  if (location === undefined) throw new InvariantError('the engine does not say where it lies')
  return { module: await webAssembly.compile(await readFile(location)), layout: findLayout(quickjs, memory) }
}
