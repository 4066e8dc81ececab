package doctor

import (
	"context"
	"errors"
	"time"

	"vademecum/embed"
	"vademecum/embed/hub"
	"vademecum/index/notice"
	"vademecum/internal/message"
	"vademecum/internal/present"
)

// trial is the text by which a model is tried: none of the user's.
const trial = "vademecum"

// checkModel tells whether the embedding model answers, how long it takes, and how long its
// vectors are.
func (s *examination) checkModel(ctx context.Context, tell func(Finding)) {
	if missing := missingModel(ctx, s.Model); missing != nil {
		tell(Finding{Fault, aboutModel, notice.ErrorLine(missing), missing.Hint()})
		return
	}
	if s.Unmade != nil {
		tell(Finding{Fault, aboutModel, notice.ErrorLine(s.Unmade), message.New("correct --embed; without it the built-in embedding is used, which needs nothing", "请更正 --embed；不给它时使用内置嵌入模型，什么都不需要")})
		return
	}
	name := s.Embedder.Model()
	if s.Embedder.Properties().Free {
		tell(Finding{OK, aboutModel, message.New("the built-in embedding, which sends no text anywhere", "内置嵌入模型，不向任何地方发送文字"), ""})
		return
	}
	start := time.Now()
	vectors, err := s.Embedder.Embed(ctx, embed.Query, []string{trial})
	if err != nil || len(vectors) != 1 {
		tell(Finding{Fault, aboutModel, message.New("%s does not answer: %v", "%s 没有应答：%v", name, message.OfError(err).Transform(present.CleanLine)), s.modelAdvice()})
		return
	}
	says := message.New("%s answers with %d numbers after %d ms", "%[1]s 在 %[3]d 毫秒后返回 %[2]d 个数", name, len(vectors[0]), time.Since(start).Milliseconds())
	if host := s.Embedder.Properties().Host; host != "" {
		says = message.New("%v; the texts of the folder are sent to %s", "%v；文件夹中的文字会发送到 %s", says, present.CleanLine(host))
	}
	tell(Finding{OK, aboutModel, says, ""})
}

// modelAdvice says what to do where the embedding model fails.
func (s *examination) modelAdvice() message.Message {
	if s.Embedder != nil && s.Embedder.Properties().InProcess { // nil where it could not be made
		return message.New("copy the folder of the model anew, or name another model; passages are found by their words meanwhile", "请重新复制该模型的文件夹，或改用其他模型；在此期间按词语查找段落")
	}
	return message.New("see whether its service runs, the model is there, and the key is set; passages are found by their words meanwhile", "请检查其服务是否在运行、模型是否存在、密钥是否已设置；在此期间按词语查找段落")
}

// missingModel tells of a model of the program that --embed names, and that is not here or not as
// it was fetched; nil of any other. It reads the whole model.
func missingModel(ctx context.Context, spec string) *hub.AbsentError {
	m, ok := hub.ModelOfSpec(spec)
	if !ok {
		return nil
	}
	missing, _ := errors.AsType[*hub.AbsentError](hub.Verify(ctx, m))
	return missing
}
