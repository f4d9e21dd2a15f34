// Question: what does one workspace notice of another one that attacks?
import { runBench } from './bench-kit.ts'
import { besideCalls } from './other-tenant/beside-calls.ts'
import { inSandbox, inStripper } from './other-tenant/in-sandbox.ts'
import { largeCalls } from './other-tenant/large-calls.ts'
import { figure } from './other-tenant/scene.ts'

await runBench('what does one workspace notice of another one that attacks?', () => [], [
  figure('slow batches', () => inSandbox('for (let end = Date.now() + 300; Date.now() < end; );')),
  figure('native loops', () => inSandbox('const a = []; a.length = 2 ** 32 - 1; a.indexOf(5)', 1)),
  figure('batches that wait for the host', () => inSandbox("await geolocation('8.8.8.8')", 1)),
  figure('outputs of 3 MB', () => inSandbox("event.text = 'x'.repeat(3e6)", 50)),
  figure('outputs that share a buffer', () =>
    inSandbox('globalThis.b ??= new ArrayBuffer(1e6); event.b = new Uint8Array(b)', 200),
  ),
  figure('exhausted memory', () => inSandbox("const all = []; for (;;) all.push('x'.repeat(1e6) + all.length)", 20)),
  figure('hostile types', inStripper),
  ...largeCalls.map(([name, attack]) => figure(name, () => besideCalls(attack))),
])
