// Baseline for one big file: the least that a Node program must do. It streams the file with an exact content
// length in 1 MiB reads while another thread computes the SHA-256. No journal, no retries, no limits. Runs in
// its own process: bare.ts FILE URL KEY.
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { basename } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const BLOCK = 1024 * 1024

function hash(path: string): string {
  const sha = createHash('sha256')
  const block = Buffer.alloc(BLOCK)
  const file = openSync(path, 'r')
  for (let count = readSync(file, block); count > 0; count = readSync(file, block))
    sha.update(block.subarray(0, count))
  closeSync(file)
  return sha.digest('hex')
}

function send(path: string, url: string, key: string): Promise<number> {
  const edge = 'slipway-bench-edge'
  const head = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${basename(path)}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const tail = `\r\n--${edge}--\r\n`
  return new Promise((resolve, reject) => {
    const out = request(
      url,
      {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': `multipart/form-data; boundary=${edge}`,
          'Content-Length': head.length + statSync(path).size + tail.length,
        },
      },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    out.once('error', reject)
    out.write(head)
    const file = createReadStream(path, { highWaterMark: BLOCK })
    file.once('error', reject)
    file.once('end', () => out.end(tail))
    file.pipe(out, { end: false })
  })
}

if (!isMainThread) parentPort?.postMessage(hash(String(workerData)))
else {
  const [path = '', url = '', key = ''] = process.argv.slice(2)
  const worker = new Worker(new URL(import.meta.url), { workerData: path })
  const digest = new Promise<string>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const [status, sha] = await Promise.all([send(path, url, key), digest])
  process.stdout.write(`${status} ${sha}\n`)
  process.exitCode = status < 300 ? 0 : 1
}
