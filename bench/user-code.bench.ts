import type { SandboxOptions } from '@sluice/sandbox'
import type { BenchCase } from './bench-case.ts'
import { runBench } from './bench-kit.ts'
import { isolatedVmCase } from './user-code/isolated-vm.ts'
import { measureProcessorTime } from './user-code/measure-processor-time.ts'
import { openPlain } from './user-code/plain-v8.ts'
import { sandboxCase } from './user-code/sandbox-case.ts'
import { type Work, works } from './user-code/works.ts'

const engines: readonly { readonly label: string; readonly options: SandboxOptions }[] = [
  { label: 'Sluice, untrusted, in process', options: { mode: 'in-process' } },
  { label: 'Sluice, untrusted, 1 worker', options: { mode: 'worker', workers: 1 } },
  { label: 'Sluice, trusted, 1 worker', options: { mode: 'worker', workers: 1, code: 'trusted' } },
]
const sizes = [200, 20, 1]
/** Events of the work that computes: one takes as long as a batch of others. */
const heavySize = 5

await runBench(
  'How much processor time does user code take per event, here and in isolated-vm?',
  (corpus) => {
    const ofSize = (work: Work, size: number): readonly BenchCase[] => [
      ...engines.map(({ label, options }) => sandboxCase(corpus, work, size, options, label)),
      isolatedVmCase(corpus, work, size, 'batch'),
      isolatedVmCase(corpus, work, size, 'none'),
    ]
    const plain = (work: Work, size: number): BenchCase => ({
      name: `${work.name}, batch ${size}, limit: plain V8, nothing isolated`,
      open: () => openPlain(corpus, work, size),
    })
    return [
      ...[works.light, works.fourPatterns, works.pii].flatMap((work) => [
        ...sizes.flatMap((size) => ofSize(work, size)),
        plain(work, sizes[0] ?? 1),
      ]),
      ...ofSize(works.heavy, heavySize),
      plain(works.heavy, heavySize),
    ]
  },
  [],
  undefined,
  measureProcessorTime,
)
