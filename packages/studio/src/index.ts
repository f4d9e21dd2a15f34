export { readStudioFiles } from './files/read-studio-files.ts'
