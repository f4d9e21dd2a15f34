export { bundle } from './bundle.ts'
export { inlinePackages } from './inline-packages.ts'
export { licences, licencesFile } from './licences.ts'
export { wholePackages } from './whole-packages.ts'
