// The style of the demo shop's hosted-fields page: the shop's own, to show how little of the form is the service's.

export const style = `:root{color-scheme:light dark;--bg:#faf7f2;--sheet:#fff;--ink:#241f1a;--soft:#635a50;--line:#e4dccf;--field:#a0937f;--act:#8a3f22;--act-hover:#743319;--act-ink:#fff;--ring:#8a3f2238;--bad:#b3261e;--bad-soft:#fcefed;--good:#2b6a3f;--good-soft:#edf5ee;--code:#f4efe6}
@media (prefers-color-scheme:dark){:root{--bg:#191613;--sheet:#221e1a;--ink:#f1ebe2;--soft:#b9ad9e;--line:#3a332b;--field:#8b7d6b;--act:#e09a76;--act-hover:#eab094;--act-ink:#241207;--ring:#e09a7647;--bad:#ff9d94;--bad-soft:#3a1d1a;--good:#84cf9b;--good-soft:#1b2c20;--code:#2b2621}}
*,*::before,*::after{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:400 16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}
h1,h2,h3,p,ol{margin:0;padding:0}
h1,.name{font-family:"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif;font-weight:600;letter-spacing:-.01em}
h1{font-size:30px;line-height:38px}
h2{font-size:18px;line-height:26px}
h3{font-size:15px;line-height:22px}
code{font:13px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
a{color:var(--act);text-underline-offset:3px}
header{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:4px 24px;padding:16px max(20px,calc((100% - 1120px)/2));border-bottom:1px solid var(--line)}
.name{font-size:20px}
.where{color:var(--soft);font-size:13px}
.columns{display:grid;grid-template-columns:minmax(0,460px) minmax(0,1fr);gap:64px;max-width:1160px;margin:0 auto;padding:32px 20px 56px}
.order{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px;margin:6px 0 24px;padding-bottom:16px;border-bottom:1px solid var(--line);color:var(--soft)}
.order b{color:var(--ink);font-weight:600;font-variant-numeric:tabular-nums}
form,.field{display:grid}
form{gap:18px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:16px;align-items:start}
label{margin-bottom:6px;font-size:14px;line-height:20px;font-weight:500}
.box{width:100%;height:48px;border:1px solid var(--field);border-radius:10px;background:var(--sheet);color:inherit;font:inherit}
input.box{padding:0 14px}
.box:focus,.box[data-focused]{outline:2px solid var(--act);outline-offset:-1px;box-shadow:0 0 0 4px var(--ring)}
.box[data-invalid],.box[aria-invalid]{border-color:var(--bad)}
.box[data-invalid][data-focused],.box[aria-invalid]:focus{outline-color:var(--bad)}
.frame{overflow:hidden}
.error{color:var(--bad);font-size:14px;line-height:20px}
.error:not(:empty){margin-top:6px}
.small{color:var(--soft);font-size:13px;line-height:20px;text-align:center}
button{font:inherit;cursor:pointer}
.pay{min-height:52px;margin-top:4px;padding:8px 20px;border:0;border-radius:10px;background:var(--act);color:var(--act-ink);font-weight:600}
.pay:hover{background:var(--act-hover)}
.pay[aria-busy]{opacity:.75;cursor:progress}
.plain{padding:0;border:0;background:none;color:var(--act);text-decoration:underline;text-underline-offset:3px}
:is(a,button,summary,.log,[tabindex]):focus-visible{outline:2px solid var(--act);outline-offset:3px;border-radius:4px}
.alert{padding:14px 16px;border-radius:10px;background:var(--bad-soft);font-size:14px}
.alert h2{color:var(--bad);font-size:16px;line-height:24px}
#outcome{padding:20px;border:1px solid var(--line);border-radius:12px;background:var(--sheet)}
#outcome[data-kind=good]{border-color:transparent;background:var(--good-soft)}
#outcome[data-kind=good] h2{color:var(--good)}
#outcome[data-kind=bad]{border-color:transparent;background:var(--bad-soft)}
#outcome[data-kind=bad] h2{color:var(--bad)}
.next{display:flex;flex-wrap:wrap;gap:8px 20px;margin-top:12px;font-size:14px}
details{margin-top:28px;padding-top:16px;border-top:1px solid var(--line);color:var(--soft);font-size:14px}
summary{width:fit-content;color:var(--ink);font-weight:500;cursor:pointer}
details p{margin:8px 0}
table{width:100%;border-collapse:collapse;font-size:13px;line-height:20px}
th,td{padding:4px 12px 4px 0;border-top:1px solid var(--line);text-align:start;font-weight:400;vertical-align:top}
td:first-child{width:80px;font-variant-numeric:tabular-nums;color:var(--ink)}
aside{display:grid;align-content:start;gap:20px;padding-inline-start:40px;border-inline-start:1px solid var(--line);color:var(--soft);font-size:14px;line-height:22px}
aside h2,aside h3{color:var(--ink)}
aside>p{margin-top:-14px}
.verdict{margin:2px 0 8px}
.verdict[data-clean]{color:var(--good);font-weight:500}
.verdict[data-clean=no]{color:var(--bad)}
.log{max-height:320px;overflow:auto;border:1px solid var(--line);border-radius:10px;background:var(--code)}
.log:has(ol:empty){display:none}
section>h3+.log{margin-top:8px}
.log ol{list-style:none}
.log li{padding:8px 12px;font:12px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace;color:var(--ink)}
.log li+li{border-top:1px solid var(--line)}
.log b{display:block;font:600 13px/20px system-ui,sans-serif}
.log pre{margin:4px 0 0;font:inherit;white-space:pre-wrap;overflow-wrap:anywhere;color:var(--soft)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
@media (width<920px){.columns{grid-template-columns:minmax(0,1fr);gap:40px;padding-top:24px}aside{padding:28px 0 0;border-inline-start:0;border-top:1px solid var(--line)}}
@media (forced-colors:active){.box:focus,.box[data-focused]{outline-color:Highlight}}`;
