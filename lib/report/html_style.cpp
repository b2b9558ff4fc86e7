#include "report/html.hpp"

namespace zl::report {

std::string_view html_style() {
  return R"(:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--quiet:#5b6470;--rule:#d8dde3;
--panel:#f5f7f9;--faster:#157a3c;--slower:#b3261e;--same:#3c6ea8;--unclear:#7a6a1f;--band:#e4e9ef;
--before:#8250c8;--after:#c2600a}
@media(prefers-color-scheme:dark){:root{--back:#14171a;--text:#e4e7ea;--quiet:#9aa4ae;--rule:#333a41;
--panel:#1c2024;--faster:#4cc27a;--slower:#ff8a80;--same:#82b1ea;--unclear:#d3bb5a;--band:#2a3138;
--before:#b794f0;--after:#f0a35e}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1280px;padding:16px;background:var(--back);color:var(--text);
font:15px/1.45 system-ui,sans-serif}
h1{font-size:1.35rem;margin:0 0 8px;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:0;display:inline;overflow-wrap:anywhere}
.counts{display:flex;flex-wrap:wrap;gap:8px;padding:0;margin:12px 0;list-style:none}
.counts li{background:var(--panel);border:1px solid var(--rule);border-radius:8px;padding:6px 12px}
.counts b{font-size:1.25rem;display:block}
.warning{border-left:4px solid var(--slower);background:var(--panel);padding:8px 12px;font-weight:600}
.quiet{color:var(--quiet);font-size:.87rem;overflow-wrap:anywhere}
ul.quiet{padding-left:1.2em}
details{border-top:1px solid var(--rule);padding:10px 0}
summary{cursor:pointer}
summary .quiet{margin-left:8px}
table{border-collapse:collapse;width:100%;margin:8px 0;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:4px 8px;border-bottom:1px solid var(--rule);vertical-align:top}
th{color:var(--quiet);font-weight:600;font-size:.82rem}
td.number,th.number{text-align:right;white-space:nowrap}
td.size{overflow-wrap:anywhere;max-width:280px}
td.note{color:var(--quiet);font-size:.85rem;max-width:260px}
.faster{--own:var(--faster)}.slower{--own:var(--slower)}.same{--own:var(--same)}
.unclear,.non-comparable{--own:var(--unclear)}
td.verdict{color:var(--own);font-weight:600;white-space:nowrap}
svg{display:block}
svg text{fill:var(--quiet);font-size:11px}
svg .end{text-anchor:end}svg .middle{text-anchor:middle}
svg .zero{stroke:var(--quiet);stroke-width:1}
svg.interval{width:220px;height:18px}
svg.interval .band{fill:var(--band)}
svg.interval .range{stroke:var(--own);stroke-width:3}
svg.interval .point{fill:var(--own)}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:16px}
figure{margin:0;min-width:0}figcaption{color:var(--quiet);font-size:.85rem;margin-bottom:4px}
svg.rounds,svg.trace{width:100%;height:auto;max-width:620px}
svg.rounds polyline{fill:none;stroke:var(--own);stroke-width:1;opacity:.45}
svg.rounds circle{fill:var(--own)}
svg.trace rect{opacity:.1}svg.trace rect.before{fill:var(--before)}svg.trace rect.after{fill:var(--after)}
svg.trace polyline{fill:none;stroke-width:1.6}
svg.trace polyline.before{stroke:var(--before)}svg.trace polyline.after{stroke:var(--after)}
.key i{display:inline-block;width:10px;height:10px;border-radius:2px;margin:0 4px 0 10px}
@media(max-width:820px){
thead{display:none}
table,tbody{display:block}
tr{display:grid;grid-template-columns:1fr auto;gap:2px 10px;padding:8px 0;border-bottom:1px solid var(--rule)}
td{border:0;padding:0;max-width:none!important}
td.size,td.interval,td.note{grid-column:1/-1}
td.number{text-align:left}
td[data-name]::before{content:attr(data-name) " ";color:var(--quiet);font-size:.82rem}
td:empty{display:none}
svg.interval{width:100%;max-width:440px;height:auto}
})";
}

}  // namespace zl::report
